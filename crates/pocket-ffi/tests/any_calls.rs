//! Every function of the C interface survives every argument, in any order: random programs of
//! calls, the same that the fuzz target `pocket_api` runs.

#[path = "support/calls.rs"]
mod calls;

#[test]
fn random_calls_keep_the_engine_sane() {
    let mut random = chess::Rng::new(0x9E37_79B9_7F4A_7C15);
    // Miri has the time for short ones.
    for length in 0..if cfg!(miri) { 16 } else { 300 } {
        let program: Vec<u8> = (0..length).map(|_| random.next_u64() as u8).collect();
        calls::run(&program);
    }
}
