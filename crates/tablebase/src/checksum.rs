//! The checksum at the end of every table file.
//!
//! A file's last sixteen bytes are a hash of all before them: of each 16 MB piece a 256-bit hash
//! that mixes multiplications with CRC-32C, and of those hashes together a 128-bit one. Both are
//! from the CityHash family, in its version of 2011; only what files of whole 64-byte blocks need
//! is here.

use std::io::{self, Read};

/// Bytes of the checksum itself.
pub(crate) const LENGTH: usize = 16;

/// Bytes that are hashed at a time.
const PIECE: usize = 1 << 24;

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K3: u64 = 0xc949_d7c7_509e_6557;
const PAIR_MULTIPLIER: u64 = 0x9ddf_ea08_eb38_2d69;

/// The checksum of this many bytes of data.
pub(crate) fn checksum(data: &mut dyn Read, length: u64) -> io::Result<[u8; LENGTH]> {
    let mut hashes = Vec::new();
    let mut left = length;
    let mut piece = Vec::new();
    while left > 0 {
        piece.clear();
        let size = left.min(PIECE as u64);
        if data.take(size).read_to_end(&mut piece)? as u64 != size {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        for word in hash_256(&piece) {
            hashes.extend_from_slice(&word.to_le_bytes());
        }
        left -= size;
    }
    let [low, high] = hash_128(&hashes);
    let mut sum = [0; LENGTH];
    sum[..8].copy_from_slice(&low.to_le_bytes());
    sum[8..].copy_from_slice(&high.to_le_bytes());
    Ok(sum)
}

fn word(bytes: &[u8], at: usize) -> u64 {
    let bytes = bytes[at..].first_chunk().expect("callers stay inside");
    u64::from_le_bytes(*bytes)
}

fn shift_mix(value: u64) -> u64 {
    value ^ (value >> 47)
}

/// Two words to one.
fn pair(low: u64, high: u64) -> u64 {
    let first = shift_mix((low ^ high).wrapping_mul(PAIR_MULTIPLIER));
    shift_mix((high ^ first).wrapping_mul(PAIR_MULTIPLIER)).wrapping_mul(PAIR_MULTIPLIER)
}

/// Forty bytes are taken in at a time, into five words and their five CRCs.
struct State {
    words: [u64; 5],
    /// The first word of the step before, which the last word is made from.
    carried: u64,
    crcs: [u32; 5],
}

const STRIDE: usize = 40;
/// The data is taken in groups of six strides; what is left over is taken in singly.
const GROUP: usize = 6 * STRIDE;

impl State {
    fn take(&mut self, bytes: &[u8], scrambled: bool) {
        // Every other step rotates a little differently and does not multiply.
        let (multiplier, twist) = if scrambled { (K0, 0) } else { (1, 1) };
        let [a, b, c, d, e] = self.words;
        let sources = [(b, 41), (c, 27), (d, 41), (e, 33), (self.carried, 25)];
        for (index, (source, rotation)) in sources.into_iter().enumerate() {
            let turned = source.rotate_right(rotation ^ twist).wrapping_mul(multiplier);
            self.words[index] = turned.wrapping_add(word(bytes, 8 * index));
            self.crcs[index] = crc32c(self.crcs[index], self.words[index]);
        }
        self.carried = a;
    }
}

fn hash_256(bytes: &[u8]) -> [u64; 4] {
    if bytes.len() >= GROUP {
        return hash_256_long(bytes, 0);
    }
    let mut padded = [0; GROUP];
    padded[..bytes.len()].copy_from_slice(bytes);
    hash_256_long(&padded, !(bytes.len() as u32))
}

fn hash_256_long(bytes: &[u8], seed: u32) -> [u64; 4] {
    let length = bytes.len() as u64;
    let b = word(bytes, 96).wrapping_add(K0);
    let first = pair(b, length);
    let second = word(bytes, 120).wrapping_mul(K0).wrapping_add(length);
    let mut state = State {
        words: [
            word(bytes, 56).wrapping_add(K0),
            b,
            first,
            second,
            word(bytes, 184).wrapping_add(u64::from(seed)),
        ],
        carried: first.wrapping_add(second),
        crcs: [seed, 0, 0, 0, 0],
    };
    let groups = bytes.chunks_exact(GROUP);
    let rest = groups.remainder();
    for group in groups {
        for (index, stride) in group.chunks_exact(STRIDE).enumerate() {
            state.take(stride, index % 2 == 1);
        }
    }
    let strides = rest.chunks_exact(STRIDE);
    let torn = !strides.remainder().is_empty();
    strides.for_each(|stride| state.take(stride, true));
    if torn {
        state.take(&bytes[bytes.len() - STRIDE..], true);
    }
    finish_256(&state, first, second)
}

fn finish_256(state: &State, first: u64, second: u64) -> [u64; 4] {
    let [a, b, c, d, e] = state.words;
    let [f, g, h, i, j] = state.crcs.map(u64::from);
    let j = j.wrapping_add(i << 32);
    let a = pair(a, j);
    let h = h.wrapping_add(g << 32);
    let b = b.wrapping_add(h);
    let c = pair(c, f).wrapping_add(i);
    let d = pair(d, e.wrapping_add(first));
    let j = j.wrapping_add(e);
    let i = i.wrapping_add(pair(h, state.carried));
    let e = pair(a, d).wrapping_add(j);
    let f = pair(b, c).wrapping_add(a);
    let g = pair(j, i).wrapping_add(c);

    let stir = |value: u64| shift_mix(value.wrapping_mul(K0)).wrapping_mul(K0);
    let result_0 = e.wrapping_add(f).wrapping_add(g).wrapping_add(h);
    let a = stir(a.wrapping_add(g)).wrapping_add(b);
    let result_1 = second.wrapping_add(a).wrapping_add(result_0);
    let a = stir(a).wrapping_add(c);
    let result_2 = a.wrapping_add(result_1);
    let a = stir(a.wrapping_add(e));
    [result_0, result_1, result_2, a.wrapping_add(result_2)]
}

/// The hash of the pieces' hashes, 32 bytes for each piece.
fn hash_128(bytes: &[u8]) -> [u64; 2] {
    if bytes.len() > 900 {
        let [_, _, low, high] = hash_256(bytes);
        return [low, high];
    }
    if bytes.len() < 32 {
        // Without a piece there is nothing to sum up; no file is like that.
        return [0, 0];
    }
    let seed = [word(bytes, 0) ^ K3, word(bytes, 8)];
    let rest = &bytes[16..];
    if rest.len() < 128 { murmur(rest, seed) } else { hash_128_long(rest, seed) }
}

/// For at least 16 and fewer than 128 bytes.
fn murmur(bytes: &[u8], seed: [u64; 2]) -> [u64; 2] {
    let length = bytes.len();
    let [mut a, mut b] = seed;
    let (mut c, mut d);
    if length <= 16 {
        a = shift_mix(a.wrapping_mul(K1)).wrapping_mul(K1);
        c = b.wrapping_mul(K1).wrapping_add(hash_16(bytes));
        d = shift_mix(a.wrapping_add(word(bytes, 0)));
    } else {
        c = pair(word(bytes, length - 8).wrapping_add(K1), a);
        d = pair(b.wrapping_add(length as u64), c.wrapping_add(word(bytes, length - 16)));
        a = a.wrapping_add(d);
        let stir = |value: u64| shift_mix(value.wrapping_mul(K1)).wrapping_mul(K1);
        // The last sixteen bytes have been used above.
        for at in (0..length - 16).step_by(16) {
            a = (a ^ stir(word(bytes, at))).wrapping_mul(K1);
            b ^= a;
            c = (c ^ stir(word(bytes, at + 8))).wrapping_mul(K1);
            d ^= c;
        }
    }
    let a = pair(a, c);
    let b = pair(d, b);
    [a ^ b, pair(b, a)]
}

/// One word from exactly sixteen bytes.
fn hash_16(bytes: &[u8]) -> u64 {
    let (a, b) = (word(bytes, 0), word(bytes, 8));
    pair(a, b.wrapping_add(16).rotate_right(16)) ^ b
}

/// The state of the hash over long data: two words and three.
struct Lanes {
    v: [u64; 2],
    w: [u64; 2],
    x: u64,
    y: u64,
    z: u64,
}

impl Lanes {
    /// Takes in 64 bytes.
    fn take(&mut self, bytes: &[u8]) {
        let Self { v, w, x, y, z } = self;
        let turn = |value: u64, by: u32| value.rotate_right(by).wrapping_mul(K1);
        *x = turn(x.wrapping_add(*y).wrapping_add(v[0]).wrapping_add(word(bytes, 8)), 37) ^ w[1];
        *y = turn(y.wrapping_add(v[1]).wrapping_add(word(bytes, 48)), 42)
            .wrapping_add(v[0])
            .wrapping_add(word(bytes, 40));
        *z = turn(z.wrapping_add(w[0]), 33);
        *v = weak_32(bytes, v[1].wrapping_mul(K1), x.wrapping_add(w[0]));
        *w = weak_32(&bytes[32..], z.wrapping_add(w[1]), y.wrapping_add(word(bytes, 16)));
        std::mem::swap(x, z);
    }
}

/// Two words from 32 bytes and two seeds.
fn weak_32(bytes: &[u8], a: u64, b: u64) -> [u64; 2] {
    let last = word(bytes, 24);
    let a = a.wrapping_add(word(bytes, 0));
    let b = b.wrapping_add(a).wrapping_add(last).rotate_right(21);
    let sum = a.wrapping_add(word(bytes, 8)).wrapping_add(word(bytes, 16));
    let b = b.wrapping_add(sum.rotate_right(44));
    [sum.wrapping_add(last), b.wrapping_add(a)]
}

/// For 128 bytes and more.
fn hash_128_long(bytes: &[u8], seed: [u64; 2]) -> [u64; 2] {
    let [x, y] = seed;
    let z = (bytes.len() as u64).wrapping_mul(K1);
    let turn = |value: u64, by: u32| value.rotate_right(by).wrapping_mul(K1);
    let v0 = turn(y ^ K1, 49).wrapping_add(word(bytes, 0));
    let v1 = turn(v0, 42).wrapping_add(word(bytes, 8));
    let w0 = turn(y.wrapping_add(z), 35).wrapping_add(x);
    let w1 = turn(x.wrapping_add(word(bytes, 88)), 53);
    let mut lanes = Lanes { v: [v0, v1], w: [w0, w1], x, y, z };

    let whole = bytes.len() / 128 * 128;
    bytes[..whole].chunks_exact(64).for_each(|block| lanes.take(block));
    let Lanes { mut v, mut w, mut x, mut y, mut z } = lanes;
    let turn = |value: u64, by: u32| value.rotate_right(by).wrapping_mul(K0);
    x = x.wrapping_add(turn(v[0].wrapping_add(z), 49));
    z = z.wrapping_add(turn(w[0], 37));
    // What is left over, 32 bytes at a time from the end.
    for at in (whole..bytes.len()).step_by(32).map(|done| bytes.len() - 32 - (done - whole)) {
        y = turn(x.wrapping_add(y), 42).wrapping_add(v[1]);
        w[0] = w[0].wrapping_add(word(bytes, at + 16));
        x = x.wrapping_mul(K0).wrapping_add(w[0]);
        z = z.wrapping_add(w[1]).wrapping_add(word(bytes, at));
        w[1] = w[1].wrapping_add(v[0]);
        v = weak_32(&bytes[at..], v[0].wrapping_add(z), v[1]);
    }
    let x = pair(x, v[0]);
    let y = pair(y.wrapping_add(z), w[0]);
    [
        pair(x.wrapping_add(v[1]), w[1]).wrapping_add(y),
        pair(x.wrapping_add(w[1]), y.wrapping_add(v[1])),
    ]
}

/// CRC-32C of one more word, eight bytes at a time by table.
fn crc32c(crc: u32, word: u64) -> u32 {
    let bytes = (word ^ u64::from(crc)).to_le_bytes();
    let lookups = bytes.iter().zip(CRC_TABLES.iter().rev());
    lookups.fold(0, |crc, (&byte, table)| crc ^ table[usize::from(byte)])
}

/// `CRC_TABLES[n][byte]` is the CRC of the byte followed by n zero bytes.
const CRC_TABLES: [[u32; 256]; 8] = {
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut zeros = 0;
        while zeros < 8 {
            let mut bit = 0;
            while bit < 8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ POLYNOMIAL } else { crc >> 1 };
                bit += 1;
            }
            tables[zeros][byte] = crc;
            zeros += 1;
        }
        byte += 1;
    }
    tables
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths and hashes that the generator's own program gives for the bytes of `sample`.
    const KNOWN: [(usize, [u64; 2]); 8] = [
        (32, [0x0b3c_7224_967d_f1cf, 0x4e6e_6a97_adac_1852]),
        (64, [0xf2c9_0c18_76e6_7a53, 0x8e1f_2231_a12a_9923]),
        (128, [0x193a_38ec_7c4b_71ba, 0x3dea_4673_f4c7_0e10]),
        (160, [0x74da_2782_49fe_ebaa, 0x98e6_0530_2643_393f]),
        (320, [0x7110_3f99_3234_29ff, 0x216d_fcb9_4845_5fec]),
        (896, [0xad25_d1c3_e995_4801, 0x38ab_812e_bc60_7d9b]),
        (928, [0xa573_9b5f_1306_fadb, 0x5ec8_299c_54bb_a567]),
        (1600, [0xb159_28e7_3e7f_5a6a, 0xc26c_dd7b_16a4_f9da]),
    ];

    fn sample(length: usize) -> Vec<u8> {
        let mut state = 1u32;
        let next = || {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            (state >> 16) as u8
        };
        std::iter::repeat_with(next).take(length).collect()
    }

    #[test]
    fn hashes_are_the_generators() {
        for (length, expected) in KNOWN {
            assert_eq!(hash_128(&sample(length)), expected, "{length} bytes");
        }
        let short = hash_256(&sample(64));
        assert_eq!((short[0], short[3]), (0x08f6_7d5c_2132_c77e, 0x87a1_60f5_d043_247c));
    }

    #[test]
    fn a_short_file_is_an_error() {
        let mut data: &[u8] = &[0; 100];
        let error = checksum(&mut data, 128).expect_err("only 100 bytes");
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
