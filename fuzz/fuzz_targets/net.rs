//! Any bytes as a network file, and small changes to a whole one: refused with a reason, or a
//! network whose quantiles stay in order.
#![no_main]

use chess::Board;
use nnue::Network;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    // Random bytes never pass the checksum: also change a true file here and there, and sign it.
    let mut file = Network::default_net().to_bytes();
    let body = file.len() - 8;
    for change in bytes.chunks_exact(5) {
        let at = u32::from_le_bytes([change[0], change[1], change[2], change[3]]) as usize % body;
        file[at] = change[4];
    }
    let hash = nnue::fnv1a(&file[..body]);
    file[body..].copy_from_slice(&hash.to_le_bytes());
    check(&file);
});

fn check(bytes: &[u8]) {
    match Network::from_bytes(bytes) {
        Err(error) => assert!(error.to_string().contains("expected")),
        Ok(network) => {
            let judged = network.evaluate(simd::kernels(), &Board::default());
            assert!(judged.to_array().is_sorted());
            assert_eq!(network.to_bytes().len(), bytes.len());
        }
    }
}
