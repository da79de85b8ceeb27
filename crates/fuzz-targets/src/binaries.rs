//! Targets that read binary files: books, tables, training data, networks, models.

use std::sync::LazyLock;

use bitnet::Model as Policy;
use bitnet::gguf::{Gguf, seal};
use book::{Book, Books, merge};
use chess::Board;
use data::{Record, viri};
use eval::tablebase::Tablebase;
use eval::{Facts, Forecaster};
use forecast::Model;
use nnue::Network;
use tablebase::SyzygyTables;

/// Any bytes as an opening book: what it gives is legal, whatever it holds.
pub(crate) fn book(bytes: &[u8]) {
    let book = Book::from_bytes(bytes.to_vec());
    let merged = merge(&[(&book, 1), (&book, 2)]);
    assert!(merged.is_sorted_by_key(|entry| entry.key));
    let mut board = Board::default();
    let books = Books::new(vec![book]);
    // The bytes also choose: each eight of them are a random number.
    for random in bytes.chunks_exact(8).filter_map(|chunk| chunk.try_into().ok()) {
        let Some(mv) = books.choose(&board, u64::from_le_bytes(random)) else { break };
        assert!(board.is_legal(mv));
        board.make_move(mv, &mut ());
    }
}

/// Any bytes as endgame tables: every question is answered, if only with an error.
pub(crate) fn syzygy(bytes: &[u8]) {
    const POSITIONS: [&str; 6] = [
        "4k3/8/8/8/8/8/8/3RK3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3RK3 b - - 0 1",
        "3k4/8/3K4/3P4/8/8/8/8 w - - 0 1",
        "8/3P4/8/8/8/8/k7/3K4 b - - 0 1",
        "8/8/8/3Q4/8/2kr4/8/K7 w - - 0 1",
        "8/8/8/8/8/1k1r4/8/K2Q4 b - - 0 1",
    ];
    // A table's length is sixteen more than a multiple of 64; others are refused by their length.
    let length = bytes.len().saturating_sub(16) / 64 * 64 + 16;
    let mut table = bytes.to_vec();
    table.resize(length, 0);
    let names = ["KRvK", "KPvK", "KQvKR", "KQvK", "KBvK", "KNvK"];
    let files = names.iter().flat_map(|name| {
        ["rtbw", "rtbz"].map(|extension| (format!("{name}.{extension}"), table.clone()))
    });
    let tables = SyzygyTables::from_memory(files);
    for fen in POSITIONS {
        let board: Board = fen.parse().expect("legal");
        let _ = tables.wdl(&board);
        let _ = tables.probe_dtz(&board);
        let _ = tables.root(&board, &[], true);
    }
}

/// Any bytes as games for training: those that are read are written with the same bytes, and
/// replayed as far as their moves are legal.
pub(crate) fn viri(bytes: &[u8]) {
    let mut reader = viri::Reader::new(bytes);
    let mut begin = 0;
    while let Ok(Some(game)) = reader.read_game() {
        let end = reader.position() as usize;
        let mut written = Vec::new();
        viri::encode(&game, &mut written);
        // The position may have been written in another way that means the same.
        assert_eq!(written.len(), end - begin);
        let mut again = viri::Reader::new(written.as_slice());
        let read = again.read_game().ok().flatten();
        assert_eq!(read.as_ref().map(|game| &game.moves), Some(&game.moves));
        assert_eq!(read.map(|game| game.start), Some(game.start.clone()));
        for position in game.replay() {
            let Ok(position) = position else { break };
            record(Record::new(&position).as_bytes());
        }
        begin = end;
    }
}

/// Any bytes as records: what makes no sense is read as something harmless.
pub(crate) fn record(bytes: &[u8]) {
    for bytes in bytes.as_chunks().0 {
        let record = Record::from_bytes(*bytes);
        assert!(record.pieces().count() <= 32);
        assert!(record.pieces().all(|(square, ..)| record.occupied().contains(square)));
        let _ = record.score();
    }
}

/// A copy of a file, changed here and there, five bytes of `changes` for each change, and signed:
/// random bytes would never pass the checksum at its end.
pub(crate) fn changed(file: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    let body = file.len() - 8;
    for change in changes.as_chunks::<5>().0 {
        let [at @ .., value] = *change;
        file[u32::from_le_bytes(at) as usize % body] = value;
    }
    sign(&mut file);
    file
}

/// Puts the right checksum at the end.
pub(crate) fn sign(file: &mut [u8]) {
    if let Some((body, sum)) = file.split_last_chunk_mut::<8>() {
        *sum = eval::checksum::fnv1a(&*body).to_le_bytes();
    }
}

/// The bytes, the bytes with the right checksum, and a whole file that they change.
fn variants(whole: &[u8], bytes: &[u8]) -> [Vec<u8>; 3] {
    let mut signed = bytes.to_vec();
    sign(&mut signed);
    [bytes.to_vec(), signed, changed(whole, bytes)]
}

/// Any bytes as a forecast's model, and changes of the true one: refused with a reason, or a model
/// whose quantiles stay in order.
pub(crate) fn forecast(bytes: &[u8]) {
    let check = |bytes: &[u8]| match Model::from_bytes(bytes) {
        Err(error) => assert!(error.to_string().contains("expected")),
        Ok(model) => {
            assert_eq!(model.to_bytes(), bytes);
            for facts in [Facts::default(), Facts { score: 30_000, nodes: u64::MAX, ..facts() }] {
                let forecast = model.forecast(&facts);
                assert!(forecast.quantiles.to_array().is_sorted());
                assert!(forecast.confidence <= 1000);
            }
        }
    };
    static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| Model::embedded().to_bytes());
    variants(&WHOLE, bytes).iter().for_each(|variant| check(variant));
}

fn facts() -> Facts {
    Facts { depth: 12, seldepth: 20, stood: 3, share: 700, men: 20, moves: 30, ..Facts::default() }
}

/// Any bytes as the network of people's moves, and changes of the true one: refused with a reason,
/// or a network whose shares add up to 1.
pub(crate) fn people(bytes: &[u8]) {
    let board = Board::default();
    let moves = board.legal_moves();
    let check = |bytes: &[u8]| match people::Net::parse(bytes) {
        Err(error) => assert!(error.to_string().contains("expected")),
        Ok(net) => {
            assert_eq!(net.to_bytes(), bytes);
            let last = people::Last::default();
            let shares = net.shares(&board, last, people::Rating::new(1500), &moves);
            assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-3);
        }
    };
    static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| people::embedded().to_bytes());
    variants(&WHOLE, bytes).iter().for_each(|variant| check(variant));
}

/// Any bytes as a policy file: the reader answers with a file or an error that names its place,
/// and a model is either loaded or refused.
pub(crate) fn gguf(bytes: &[u8]) {
    match Gguf::parse(bytes) {
        Err(error) => assert!(!error.place.is_empty() && !error.to_string().is_empty()),
        Ok(file) => {
            // What was promised: tensors lie inside the file, without overlap.
            let total: usize = file.tensors.iter().map(|tensor| tensor.data.len()).sum();
            assert!(total <= bytes.len());
            // With the right checksum, so that not everything is refused for that.
            let sealed = seal(bytes).expect("it has just been read");
            let _ = Policy::from_bytes(&sealed, simd::kernels()).map(|_| ());
        }
    }
}

/// Any bytes as a network, and changes of a whole one: refused with a reason, or a network whose
/// quantiles stay in order.
pub(crate) fn net(bytes: &[u8]) {
    static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| Network::default_net().to_bytes());
    check_network(bytes);
    check_network(&changed(&WHOLE, bytes));
}

/// The same for a network with threat inputs, which has a version of the file of its own.
pub(crate) fn net_threats(bytes: &[u8]) {
    static WHOLE: LazyLock<Vec<u8>> =
        LazyLock::new(|| Network::with_threats(128, "zeros", 400).to_bytes());
    check_network(&changed(&WHOLE, bytes));
}

fn check_network(bytes: &[u8]) {
    match Network::from_bytes(bytes) {
        Err(error) => assert!(error.to_string().contains("expected")),
        Ok(network) => {
            let judged = network.evaluate(simd::kernels(), &Board::default());
            assert!(judged.to_array().is_sorted());
            assert_eq!(network.to_bytes().len(), bytes.len());
        }
    }
}
