//! What must hold for every network: order, symmetry, one result with every kernel.

use chess::{Board, Color, Piece, Rng, Square};
use nnue::Network;

/// A random set of pieces with both kings.
fn scatter(rng: &mut Rng) -> (Vec<(Color, Piece, Square)>, [Square; 2]) {
    let mut squares: Vec<usize> = (0..64).collect();
    rng.shuffle(&mut squares);
    let kings = [Square::from_index(squares[0]), Square::from_index(squares[1])];
    let mut pieces =
        vec![(Color::White, Piece::King, kings[0]), (Color::Black, Piece::King, kings[1])];
    for &square in &squares[2..2 + rng.below(31)] {
        let color = Color::ALL[rng.below(2)];
        let piece = Piece::ALL[rng.below(5)];
        pieces.push((color, piece, Square::from_index(square)));
    }
    (pieces, kings)
}

#[test]
fn quantiles_never_cross() {
    let network = Network::default_net();
    let count = if std::env::var_os("BRIER_FULL_TESTS").is_some() { 1_000_000 } else { 100_000 };
    let mut rng = Rng::new(42);
    let mut widest = 0;
    for _ in 0..count {
        let (pieces, kings) = scatter(&mut rng);
        let judged =
            network.evaluate_pieces(simd::kernels(), pieces.iter().copied(), kings, Color::White);
        assert!(judged.to_array().is_sorted(), "{judged:?}");
        widest = widest.max(judged.uncertainty());
    }
    assert!(widest > 0, "a network without doubt");
}

#[test]
fn a_colour_flipped_mirror_is_judged_alike() {
    let network = Network::default_net();
    let mut rng = Rng::new(43);
    for _ in 0..20_000 {
        let (pieces, kings) = scatter(&mut rng);
        let here =
            network.evaluate_pieces(simd::kernels(), pieces.iter().copied(), kings, Color::White);
        let flipped = pieces.iter().map(|&(color, piece, sq)| (!color, piece, sq.flip_rank()));
        let flipped_kings = [kings[1].flip_rank(), kings[0].flip_rank()];
        let there = network.evaluate_pieces(simd::kernels(), flipped, flipped_kings, Color::Black);
        assert_eq!(here, there);
        // Files may be mirrored too: castling rights are no input.
        let mirrored = pieces.iter().map(|&(color, piece, sq)| (color, piece, sq.flip_file()));
        let mirrored_kings = kings.map(|king| king.flip_file());
        let there =
            network.evaluate_pieces(simd::kernels(), mirrored, mirrored_kings, Color::White);
        assert_eq!(here, there);
    }
}

#[test]
fn every_kernel_gives_the_same_judgement() {
    let network = Network::default_net();
    let mut rng = Rng::new(44);
    let scalar = simd::by_name("scalar").unwrap();
    for _ in 0..2_000 {
        let (pieces, kings) = scatter(&mut rng);
        let judge =
            |table| network.evaluate_pieces(table, pieces.iter().copied(), kings, Color::Black);
        for table in simd::all_available() {
            assert_eq!(judge(table), judge(scalar), "{}", table.name);
        }
    }
}

/// Not a promise of strength: a network that failed this would be broken.
#[test]
fn a_queen_more_is_better() {
    let network = Network::default_net();
    let judge = |fen: &str| {
        let board: Board = fen.parse().unwrap();
        network.evaluate(simd::kernels(), &board).q50
    };
    let level = judge("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let up = judge("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let down = judge("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1");
    assert!(level.abs() < 150 && up > level + 300 && down < level - 300, "{down} {level} {up}");
}
