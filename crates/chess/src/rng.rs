//! Random numbers that are the same on every machine and in every version.
//!
//! The generator is splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
//! generators", 2014): a counter that goes up by the golden ratio, and a mix of its bits. Keys,
//! openings, shuffles and tests are drawn from it, so its stream is fixed for good: the numbers of
//! a seed are part of the interface. It is not for secrets.

/// A splitmix64 generator; its whole state is one number.
///
/// ```
/// use chess::Rng;
///
/// let mut rng = Rng::new(1234567);
/// assert_eq!(rng.next_u64(), 6457827717110365317);
/// assert_eq!(rng.next_u64(), 3203168211198807973);
/// assert!(rng.below(6) < 6);
/// assert_eq!(rng.pick::<u8>(&[]), None);
/// ```
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The generator of a seed. Any seed is good, but seeds that differ by a multiple of the golden
    /// ratio share most of their numbers; [`Rng::stream`] never does.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// One of many unrelated generators of a seed: that of game 7 of a run, say.
    pub const fn stream(seed: u64, stream: u64) -> Self {
        let spread = Self::new(seed).next_u64();
        Self(Self::new(spread ^ stream).next_u64())
    }

    /// The next 64 random bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 if that is 0.
    #[inline]
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.next_u64() as u128 * bound as u128) >> 64) as usize
    }

    /// A number from 0 up to, not including, 1, in steps of 2⁻⁵³.
    #[inline]
    pub const fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// True with this probability.
    #[inline]
    pub const fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of several things, each as likely as the others; none if there is none.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        things.get(self.below(things.len()))
    }

    /// Brings things into a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for i in (1..things.len()).rev() {
            things.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;
    use std::collections::HashSet;
    use std::vec::Vec;

    /// The first numbers of seed 1234567, as the authors' C program prints them
    /// (<https://prng.di.unimi.it/splitmix64.c>; the same list is in Rosetta Code).
    #[test]
    fn the_stream_is_that_of_splitmix64() {
        let mut rng = Rng::new(1_234_567);
        let found = [(); 5].map(|()| rng.next_u64());
        let known = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(found, known);
    }

    #[test]
    fn streams_share_nothing() {
        let mut seen = HashSet::new();
        for seed in 0..30 {
            for stream in 0..30 {
                let mut rng = Rng::stream(seed, stream);
                assert!((0..30).all(|_| seen.insert(rng.next_u64())), "{seed} {stream}");
            }
        }
    }

    #[test]
    fn choices_are_fair() {
        let mut rng = Rng::new(1);
        let mut counts = [0_i32; 5];
        let mut firsts = [0_i32; 5];
        for _ in 0..50_000 {
            counts[rng.below(5)] += 1;
            let mut order = [0, 1, 2, 3, 4];
            rng.shuffle(&mut order);
            firsts[order[0]] += 1;
        }
        // Five standard deviations are 447.
        assert!(counts.iter().chain(&firsts).all(|&count| (count - 10_000).abs() < 447));
        let heads = (0..50_000).filter(|_| rng.chance(0.2)).count() as i32;
        assert!((heads - 10_000).abs() < 447, "{heads}");
        assert!((0..1000).all(|_| (0.0..1.0).contains(&rng.unit())));
        assert!((0..100).all(|_| rng.chance(1.0) && !rng.chance(0.0)));
    }

    #[test]
    fn a_shuffle_keeps_everything() {
        let mut things: Vec<u32> = (0..100).collect();
        Rng::new(5).shuffle(&mut things);
        assert!(!things.is_sorted());
        things.sort_unstable();
        assert!(things.iter().copied().eq(0..100));
        assert_eq!(Rng::new(5).below(0), 0);
    }
}
