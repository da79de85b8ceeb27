//! The integer network over vector operations.

use core::mem::MaybeUninit;

use crate::isa::Isa;
use crate::nnue::{Head, L1, L2, L2_IN, MAX_WIDTH, OUT, OUT_PADDED};
use crate::scalar::nnue::{activate_l1, activate_l2};

/// Registers of an accumulator held while rows are added: enough to hide the loads.
const TILE: usize = 8;

/// See [`crate::nnue::NnueKernels::update`].
///
/// # Safety
/// The caller carries the features of `I`.
#[inline(always)]
pub(crate) unsafe fn update<I: Isa>(
    dst: &mut [i16],
    src: &[i16],
    weights: &[i16],
    add: &[u32],
    sub: &[u32],
) {
    let width = dst.len();
    // Not debug assertions: the table hands this out as a safe function.
    assert!(src.len() == width && width.is_multiple_of(I::LANES));
    let inside = |&row: &u32| (row as usize + 1) * width <= weights.len();
    assert!(add.iter().chain(sub).all(inside), "row outside the weights");
    // Most moves change two to four rows, which are best added lane by lane.
    // SAFETY: every row lies inside `weights` (asserted above).
    unsafe {
        match (add, sub) {
            (&[a], &[s]) => return update_few::<I, 1, 1>(dst, src, weights, [a], [s]),
            (&[a], &[s, t]) => return update_few::<I, 1, 2>(dst, src, weights, [a], [s, t]),
            (&[a, b], &[s, t]) => return update_few::<I, 2, 2>(dst, src, weights, [a, b], [s, t]),
            _ => {}
        }
    }
    // SAFETY: `src` is as long as `dst`, every row inside `weights` (asserted above).
    unsafe {
        let row = |&row: &u32| weights.as_ptr().add(row as usize * width);
        let rows = (add.iter().map(row), sub.iter().map(row));
        update_rows::<I, i16>(dst.as_mut_ptr(), src.as_ptr(), width, rows);
    }
}

/// One update by a fixed number of rows.
///
/// # Safety
/// As [`update`]; every row lies within `weights`, and `src` is as long as `dst`.
#[inline(always)]
unsafe fn update_few<I: Isa, const ADD: usize, const SUB: usize>(
    dst: &mut [i16],
    src: &[i16],
    weights: &[i16],
    add: [u32; ADD],
    sub: [u32; SUB],
) {
    let width = dst.len();
    for i in (0..width).step_by(I::LANES) {
        // SAFETY: `i + LANES` is within the width, every row within `weights`.
        unsafe {
            let at = |row: u32| I::load_i16(weights.as_ptr().add(row as usize * width + i));
            let mut lanes = I::load_i16(src.as_ptr().add(i));
            for row in add {
                lanes = I::add_i16(lanes, at(row));
            }
            for row in sub {
                lanes = I::sub_i16(lanes, at(row));
            }
            I::store_i16(dst.as_mut_ptr().add(i), lanes);
        }
    }
}

/// A type of weights that are added to sums of sixteen bits.
trait Weight: Copy {
    /// # Safety
    /// The caller carries the features of `I`, and `I::LANES` weights can be read.
    unsafe fn load<I: Isa>(weights: *const Self) -> I::I16;
}

impl Weight for i16 {
    #[inline(always)]
    unsafe fn load<I: Isa>(weights: *const Self) -> I::I16 {
        // SAFETY: the caller's promise.
        unsafe { I::load_i16(weights) }
    }
}

impl Weight for i8 {
    #[inline(always)]
    unsafe fn load<I: Isa>(weights: *const Self) -> I::I16 {
        // SAFETY: the caller's promise.
        unsafe { I::load_i8(weights) }
    }
}

/// One update by rows to add and rows to take off; `dst` may be `src`.
///
/// # Safety
/// The caller carries the features of `I`; `dst` and `src` have `width` lanes, a multiple of
/// `I::LANES`, and so has every row.
#[inline(always)]
unsafe fn update_rows<I: Isa, W: Weight>(
    dst: *mut i16,
    src: *const i16,
    width: usize,
    rows: (impl Iterator<Item = *const W> + Clone, impl Iterator<Item = *const W> + Clone),
) {
    let mut start = 0;
    // SAFETY: every tile stays inside `width`; the rest is the caller's promise.
    unsafe {
        while start + TILE * I::LANES <= width {
            update_tile::<I, W, TILE>(dst, src, start, rows.clone());
            start += TILE * I::LANES;
        }
        while start < width {
            update_tile::<I, W, 1>(dst, src, start, rows.clone());
            start += I::LANES;
        }
    }
}

/// `N` registers of one update, from the lane `start` on.
///
/// # Safety
/// As [`update_rows`]; `N * I::LANES` lanes lie behind `start`.
#[inline(always)]
unsafe fn update_tile<I: Isa, W: Weight, const N: usize>(
    dst: *mut i16,
    src: *const i16,
    start: usize,
    (add, sub): (impl Iterator<Item = *const W>, impl Iterator<Item = *const W>),
) {
    // SAFETY: the bounds are the caller's promise.
    unsafe {
        let at = |k: usize| start + k * I::LANES;
        let mut tile: [I::I16; N] = core::array::from_fn(|k| I::load_i16(src.add(at(k))));
        for row in add {
            for (k, lanes) in tile.iter_mut().enumerate() {
                *lanes = I::add_i16(*lanes, W::load::<I>(row.add(at(k))));
            }
        }
        for row in sub {
            for (k, lanes) in tile.iter_mut().enumerate() {
                *lanes = I::sub_i16(*lanes, W::load::<I>(row.add(at(k))));
            }
        }
        for (k, lanes) in tile.iter().enumerate() {
            I::store_i16(dst.add(at(k)), *lanes);
        }
    }
}

/// See [`crate::nnue::NnueKernels::update_bytes`].
///
/// # Safety
/// The caller carries the features of `I`.
#[inline(always)]
pub(crate) unsafe fn update_bytes<I: Isa>(
    lanes: &mut [i16],
    weights: &[i8],
    add: &[u32],
    sub: &[u32],
) {
    let width = lanes.len();
    assert!(width.is_multiple_of(I::LANES));
    let inside = |&row: &u32| (row as usize + 1) * width <= weights.len();
    assert!(add.iter().chain(sub).all(inside), "row outside the weights");
    let sums = lanes.as_mut_ptr();
    // SAFETY: every row lies inside `weights` (asserted above).
    unsafe {
        let row = |&row: &u32| weights.as_ptr().add(row as usize * width);
        update_rows::<I, i8>(sums, sums, width, (add.iter().map(row), sub.iter().map(row)));
    }
}

/// See [`crate::nnue::NnueKernels::forward`].
///
/// # Safety
/// The caller carries the features of `I`.
#[inline(always)]
pub(crate) unsafe fn forward<I: Isa>(us: &[i16], them: &[i16], head: &Head<'_>) -> [i32; OUT] {
    let width = us.len();
    assert!(them.len() == width && width.is_multiple_of(128) && width <= MAX_WIDTH);
    assert!(head.l1_weights.len() == width * L1);
    // As `i32` so that four bytes are one aligned lane.
    let mut input = [const { MaybeUninit::<i32>::uninit() }; MAX_WIDTH / 4];
    // SAFETY: `width` bytes fit in `input`; the halves are multiples of 64 bytes.
    let input = unsafe {
        let bytes = input.as_mut_ptr().cast::<u8>();
        pair_products::<I>(us, bytes);
        pair_products::<I>(them, bytes.add(width / 2));
        // SAFETY: the products have filled the first `width` bytes.
        core::slice::from_raw_parts(input.as_ptr().cast::<i32>(), width / 4)
    };

    // SAFETY: each of the chunks of `input` has 64 weights (asserted above).
    let sums = unsafe { sparse_l1::<I>(input, head) };
    let hidden = activate_l1(&sums);
    let mut sums = *head.l2_biases;
    // SAFETY: all shapes are fixed by the types.
    unsafe {
        let low = dense::<I, L2_IN>(sums.as_ptr(), &hidden, head.l2_weights.as_ptr(), L2);
        let high =
            dense::<I, L2_IN>(sums.as_ptr().add(16), &hidden, head.l2_weights.as_ptr().add(32), L2);
        I::store_i32(sums.as_mut_ptr(), low);
        I::store_i32(sums.as_mut_ptr().add(16), high);
    }
    let hidden = activate_l2(&sums);
    let mut sums = [0i32; OUT_PADDED];
    // SAFETY: all shapes are fixed by the types.
    unsafe {
        let out = dense::<I, L2>(
            head.out_biases.as_ptr(),
            &hidden,
            head.out_weights.as_ptr(),
            OUT_PADDED,
        );
        I::store_i32(sums.as_mut_ptr(), out);
    }
    core::array::from_fn(|o| sums[o])
}

/// Clips an accumulator and multiplies its first half by its second.
///
/// # Safety
/// As [`forward`]; `out` takes half as many bytes as `acc` has lanes, a multiple of `2 * LANES`.
#[inline(always)]
unsafe fn pair_products<I: Isa>(acc: &[i16], out: *mut u8) {
    let half = acc.len() / 2;
    for i in (0..half).step_by(2 * I::LANES) {
        // SAFETY: `i + 2 * LANES <= half`.
        unsafe {
            let (low, high) = (acc.as_ptr().add(i), acc.as_ptr().add(half + i));
            let first = pair_product::<I>(low, high);
            let second = pair_product::<I>(low.add(I::LANES), high.add(I::LANES));
            I::store_narrow(out.add(i), first, second);
        }
    }
}

/// One register of [`pair_products`]. No closure: that would lose the instruction set's features,
/// and each operation would be a call.
///
/// # Safety
/// As [`forward`]; both pointers are good for one register.
#[inline(always)]
unsafe fn pair_product<I: Isa>(a: *const i16, b: *const i16) -> I::I16 {
    // SAFETY: the caller's promise.
    unsafe { I::product_over_512(I::clip_255(I::load_i16(a)), I::clip_255(I::load_i16(b))) }
}

/// The first dense layer over the chunks of four inputs that are not all zero (about half are).
///
/// # Safety
/// As [`forward`]; `head.l1_weights` holds 64 weights for each chunk of `input`, and the number
/// of chunks is a multiple of sixteen.
#[inline(always)]
unsafe fn sparse_l1<I: Isa>(input: &[i32], head: &Head<'_>) -> [i32; L1] {
    // Sixteen places more than chunks, since up to sixteen are written at a time.
    let mut found = [const { MaybeUninit::<u16>::uninit() }; MAX_WIDTH / 4 + 16];
    let mut count = 0;
    for base in (0..input.len()).step_by(16) {
        // SAFETY: sixteen chunks from `base` on lie inside `input`; at most one entry per chunk before
        // them was counted, so there is room for sixteen more.
        count += unsafe {
            let room = found.as_mut_ptr().add(count).cast::<u16>();
            I::find_nonzero(input.as_ptr().add(base), base as u16, room)
        };
    }
    // SAFETY: the first `count` entries were written.
    let found = unsafe { core::slice::from_raw_parts(found.as_ptr().cast::<u16>(), count) };
    let mut sums = [0i32; L1];
    // SAFETY: every chunk found is inside `input`, so its weights are inside `l1_weights`.
    unsafe {
        // Four sums, so that a multiplication need not wait for the one before.
        let zero = I::zero_i32();
        let mut parts = [I::load_i32(head.l1_biases.as_ptr()), zero, zero, zero];
        let (fours, rest) = found.as_chunks::<4>();
        for four in fours {
            add_chunks::<I>(&mut parts, four, input, head.l1_weights);
        }
        add_chunks::<I>(&mut parts, rest, input, head.l1_weights);
        let [a, b, c, d] = parts;
        I::store_i32(sums.as_mut_ptr(), I::add_i32(I::add_i32(a, b), I::add_i32(c, d)));
    }
    sums
}

/// Up to four chunks of inputs times their weights, each added to a sum of its own.
///
/// # Safety
/// As [`sparse_l1`]; every chunk lies inside `input`.
#[inline(always)]
unsafe fn add_chunks<I: Isa>(
    parts: &mut [I::I32; 4],
    chunks: &[u16],
    input: &[i32],
    weights: &[i8],
) {
    for (part, &chunk) in parts.iter_mut().zip(chunks) {
        let at = usize::from(chunk);
        // SAFETY: the caller's promise.
        unsafe {
            let x = input.get_unchecked(at).to_ne_bytes();
            *part = I::dot4(*part, x, weights.as_ptr().add(at * 4 * L1));
        }
    }
}

/// Sixteen outputs of a dense layer: `biases + weights · x`, weights in pairs of inputs and
/// `stride` outputs apart.
///
/// # Safety
/// As [`forward`]; `biases` holds 16 lanes and `weights` reaches to the last pair.
#[inline(always)]
unsafe fn dense<I: Isa, const N: usize>(
    biases: *const i32,
    x: &[i16; N],
    weights: *const i16,
    stride: usize,
) -> I::I32 {
    // SAFETY: the bounds are the caller's promise.
    unsafe {
        let mut even = I::load_i32(biases);
        let mut odd = I::zero_i32();
        for i in (0..N).step_by(4) {
            even = I::dot2(even, [x[i], x[i + 1]], weights.add(i * stride));
            odd = I::dot2(odd, [x[i + 2], x[i + 3]], weights.add((i + 2) * stride));
        }
        I::add_i32(even, odd)
    }
}
