//! Sequences: the cache changes nothing but the time, and a step allocates nothing.

use bitnet::gguf::TensorType;
use bitnet::sequence::{move_token, push_position};
use bitnet::synthetic::random_file;
use bitnet::tokens::{self, Occupant, Token};
use bitnet::{Config, Model, PolicyNet};
use chess::{Board, Move};
use eval::Policy;

const SMALL: Config = Config {
    layers: 2,
    width: 256,
    heads: 4,
    kv_heads: 2,
    head_size: 64,
    feed_forward: 256,
    context: 41,
    moves: 8,
    rope_base: 100.0,
    norm_epsilon: 1e-5,
};

fn model() -> Model {
    Model::from_bytes(&random_file(&SMALL, TensorType::Tq1, 9), simd::kernels()).unwrap()
}

fn position(fen: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    push_position(&fen.parse().unwrap(), &mut tokens);
    tokens
}

/// Plays moves in UCI notation; gives them and the board after them.
fn play(start: &Board, text: &str) -> (Vec<Move>, Board) {
    let mut board = start.clone();
    let mut moves = Vec::new();
    for text in text.split_whitespace() {
        let mv = board.parse_uci(text).unwrap();
        board.make_move(mv, &mut ());
        moves.push(mv);
    }
    (moves, board)
}

/// Asks for all legal moves after `text`.
fn ask(net: &mut PolicyNet, start: &Board, text: &str) -> Vec<f32> {
    let (moves, board) = play(start, text);
    let legal = board.legal_moves();
    let mut out = vec![0.0; legal.len()];
    assert!(net.logits(start, &moves, &legal, &mut out));
    out
}

#[test]
fn a_position_and_its_mirror_image_are_one_sequence() {
    let white = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let black = position("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1");
    assert_eq!(white, black);
    assert_eq!(white.len(), 33);
    assert_eq!(white.last(), Some(&tokens::GO));
}

#[test]
fn castling_and_en_passant_are_kinds_of_their_own() {
    let has = |fen: &str, occupant, square| {
        position(fen).contains(&tokens::occupant_token(occupant, square))
    };
    let fen = "4k2r/8/8/8/8/8/8/R3K2R b Kk - 0 1";
    assert!(has(fen, Occupant::OurCastlingRook, 7) && has(fen, Occupant::TheirCastlingRook, 63));
    assert!(has(fen, Occupant::TheirRook, 56));
    let taken = "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1";
    assert!(has(taken, Occupant::TheirEnPassantPawn, 35) && has(taken, Occupant::OurPawn, 36));
    assert!(has("4k3/8/8/8/3Pp3/8/8/4K3 b - - 0 1", Occupant::TheirPawn, 35));
}

#[test]
fn all_legal_moves_have_tokens_of_their_own() {
    // Castling both ways, promotions in all directions, en passant, and for either side.
    for fen in [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "1n1nk3/2P5/8/8/8/8/2p5/1N1NK3 w - - 0 1",
        "1n1nk3/2P5/8/8/8/8/2p5/1N1NK3 b - - 0 1",
        "4k3/8/8/2pPp3/8/8/8/4K3 w - e6 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        let board: Board = fen.parse().unwrap();
        for us in [board.side_to_move(), !board.side_to_move()] {
            let legal = board.legal_moves();
            let mut tokens: Vec<Token> = legal.iter().map(|&mv| move_token(mv, us)).collect();
            for token in &tokens {
                assert!(tokens::MOVE_TOKENS.binary_search(token).is_ok(), "{fen}: {token}");
            }
            tokens.sort_unstable();
            tokens.dedup();
            assert_eq!(tokens.len(), legal.len(), "{fen}");
        }
    }
}

#[test]
fn reserved_tokens_are_not_moves() {
    let mut all: Vec<Token> = tokens::MOVE_TOKENS.to_vec();
    all.push(tokens::GO);
    all.extend((0..64).map(|square| tokens::occupant_token(Occupant::OurPawn, square)));
    all.extend((0..64).map(|square| tokens::occupant_token(Occupant::TheirEnPassantPawn, square)));
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
    assert!(all.iter().all(|&token| usize::from(token) < tokens::VOCAB));
}

#[test]
fn moves_one_by_one_or_together_give_the_same_bits() {
    let model = model();
    let start = Board::default();
    let (moves, _) = play(&start, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
    let mut position = Vec::new();
    push_position(&start, &mut position);
    let moves: Vec<Token> = moves.iter().map(|&mv| move_token(mv, start.side_to_move())).collect();
    let (mut slow, mut fast) = (model.start(), model.start());
    model.extend(&mut slow, &position);
    for token in &moves {
        model.extend(&mut slow, &[*token]);
    }
    model.extend(&mut fast, &position);
    model.extend(&mut fast, &moves);
    assert_eq!(slow.state(), fast.state());
    assert_eq!(slow.tokens(), fast.tokens());
}

#[test]
fn all_tables_of_kernels_give_the_same_bits() {
    let file = random_file(&SMALL, TensorType::Tq2, 5);
    let tokens = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let state = |kernels| {
        let model = Model::from_bytes(&file, kernels).unwrap();
        let mut run = model.start();
        model.extend(&mut run, &tokens);
        run.state().to_vec()
    };
    let want = state(simd::by_name("scalar").unwrap());
    for kernels in simd::all_available() {
        assert_eq!(state(kernels), want, "{}", kernels.name);
    }
}

#[test]
fn a_game_that_goes_on_extends_the_sequence() {
    let start = Board::default();
    let game = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1h1 f8e7 f1e1";
    let words: Vec<&str> = game.split(' ').collect();
    let mut net = PolicyNet::new(model());
    for ply in (0..=10).step_by(2) {
        let text = words[..ply].join(" ");
        let (moves, _) = play(&start, &text);
        // 32 pieces and GO at first and when the sequence is full, else only the new moves.
        let needed = if ply % 10 == 0 { 33 } else { 2 };
        assert_eq!(net.tokens_needed(&start, &moves), needed, "after {ply} plies");
        let got = ask(&mut net, &start, &text);
        assert_eq!(net.tokens_needed(&start, &moves), 0);
        // The same sequence at once: the position at its beginning, then the moves.
        let mut other = PolicyNet::new(model());
        ask(&mut other, &start, &words[..ply / 10 * 10].join(" "));
        assert_eq!(got, ask(&mut other, &start, &text), "after {ply} plies");
    }
}

#[test]
fn another_game_or_side_starts_a_new_sequence() {
    let start = Board::default();
    let fresh = |text: &str| ask(&mut PolicyNet::new(model()), &start, text);
    let mut net = PolicyNet::new(model());
    ask(&mut net, &start, "e2e4 e7e5");
    // The other side to move, a different move, a shorter game, and the same position again.
    for text in ["e2e4 e7e5 g1f3", "e2e4 c7c5", "e2e4", ""] {
        assert_eq!(ask(&mut net, &start, text), fresh(text), "{text}");
        assert_eq!(ask(&mut net, &start, text), fresh(text), "{text} again");
    }
    ask(&mut net, &start, "d2d4 d7d5");
    let extended = ask(&mut net, &start, "d2d4 d7d5 c2c4 e7e6");
    net.reset();
    assert_eq!(ask(&mut net, &start, "d2d4 d7d5 c2c4 e7e6"), fresh("d2d4 d7d5 c2c4 e7e6"));
    assert_ne!(
        extended,
        fresh("d2d4 d7d5 c2c4 e7e6"),
        "moves and position are different sequences"
    );
}

#[test]
fn first_moves_are_ranked_shares() {
    let mut net = PolicyNet::new(model());
    let first = net.first_moves(&Board::default(), &[], 5);
    assert_eq!(first.len(), 5);
    assert!(first.windows(2).all(|pair| pair[0].1 >= pair[1].1));
    let all = net.first_moves(&Board::default(), &[], 100);
    assert_eq!(all.len(), 20);
    assert!((all.iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-5);
}

#[test]
fn no_allocation_after_the_first_token() {
    let model = model();
    let tokens = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let mut run = model.start();
    model.extend(&mut run, &tokens[..1]);
    run.clear();
    let counted = allocation_counter::measure(|| {
        model.extend(&mut run, &tokens);
        for token in 0..8 {
            model.extend(&mut run, &[tokens::MOVE_TOKENS[token]]);
            model.logit(&run, tokens::MOVE_TOKENS[100]);
        }
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn the_reference_size_loads_and_runs() {
    let file = random_file(&Config::REFERENCE, TensorType::Tq1, 2);
    let model = Model::from_bytes(&file, simd::kernels()).unwrap();
    let mut run = model.start();
    model.extend(&mut run, &position("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"));
    for &token in &tokens::MOVE_TOKENS[..20] {
        model.extend(&mut run, &[token]);
    }
    assert!(run.state().iter().all(|x| x.is_finite()));
    assert!(run.state().iter().any(|x| *x != 0.0));
}
