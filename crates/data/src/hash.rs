//! A hash that is the same on every machine and in every version: splits and shuffles rest on it.

/// Mixes a word into a running hash (the finaliser of splitmix64 after a multiply-add).
pub(crate) const fn mix(hash: u64, word: u64) -> u64 {
    let mut x = hash.rotate_left(23) ^ word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Hashes bytes, the last word filled up with zeros.
pub(crate) fn bytes(seed: u64, bytes: &[u8]) -> u64 {
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(mix(seed, bytes.len() as u64), mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_never_changes() {
        // Held-out games must stay held out: these numbers are part of the format.
        assert_eq!(bytes(0, b"brier"), 8_857_251_843_262_006_744);
        assert_eq!(bytes(7, b"a longer text than one word"), 10_415_754_683_927_811_198);
        assert_ne!(bytes(0, b"brier"), bytes(1, b"brier"));
        assert_ne!(bytes(0, b"a"), bytes(0, b"a\0"));
    }
}
