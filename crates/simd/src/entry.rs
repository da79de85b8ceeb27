//! The one way to compile a generic kernel for an instruction set.
//!
//! A generic kernel called from a function without the right `#[target_feature]` is correct but
//! ten times slower, because each operation stays a call. The macro attaches the attribute to
//! every entry, so that this mistake cannot be written.

/// Makes a module with the table `TABLE` of all kernels compiled for one [`crate::isa::Isa`].
macro_rules! entry_points {
    ($module:ident, $isa:ty, $features:literal, $name:literal) => {
        pub(crate) mod $module {
            use super::*;
            use crate::nnue::{Head, NnueKernels, OUT};
            use crate::ternary::TernaryKernels;
            use crate::train::{AdamStep, TrainKernels};
            use crate::{dispatch::Kernels, generic};

            /// Hand it out only after the processor was seen to have the features.
            #[cfg_attr(
                target_arch = "wasm32",
                expect(unused_unsafe, reason = "a module without the features is never loaded")
            )]
            pub(crate) static TABLE: Kernels = Kernels {
                name: $name,
                nnue: NnueKernels {
                    // SAFETY: (all of the table) the features were detected, see `TABLE`.
                    update: |d, s, w, add, sub| unsafe { update(d, s, w, add, sub) },
                    // SAFETY: as above.
                    update_bytes: |l, w, add, sub| unsafe { update_bytes(l, w, add, sub) },
                    threats: <$isa as crate::isa::Isa>::THREATS,
                    // SAFETY: as above.
                    forward: |us, them, head| unsafe { forward(us, them, head) },
                },
                ternary: TernaryKernels {
                    // SAFETY: as above.
                    matvec: |o, w, x| unsafe { ternary_matvec(o, w, x) },
                    // SAFETY: as above.
                    matmul: |o, w, x, n| unsafe { matmul(o, w, x, n) },
                },
                train: TrainKernels {
                    // SAFETY: as above.
                    add_rows: |d, w, r| unsafe { add_rows(d, w, r) },
                    // SAFETY: as above.
                    scatter_rows: |g, r, d| unsafe { scatter_rows(g, r, d) },
                    // SAFETY: as above.
                    pair: |a, o| unsafe { pair(a, o) },
                    // SAFETY: as above.
                    pair_backward: |a, o| unsafe { pair_backward(a, o) },
                    // SAFETY: as above.
                    matvec: |o, b, w, x| unsafe { matvec(o, b, w, x) },
                    // SAFETY: as above.
                    matvec_backward: |dx, dw, w, x, d| unsafe { matvec_backward(dx, dw, w, x, d) },
                    // SAFETY: as above.
                    adam: |w, m, v, g, s| unsafe { adam(w, m, v, g, s) },
                },
            };

            entry_points! { @entries $isa, $features,
                nnue::update(d: &mut [i16], s: &[i16], w: &[i16], add: &[u32], sub: &[u32]);
                nnue::update_bytes(l: &mut [i16], w: &[i8], add: &[u32], sub: &[u32]);
                nnue::forward(us: &[i16], them: &[i16], head: &Head<'_>) -> [i32; OUT];
                ternary::ternary_matvec(o: &mut [i32], codes: &[u8], x: &[i8]);
                ternary::matmul(o: &mut [i32], codes: &[u8], x: &[i8], tokens: usize);
                train::add_rows(d: &mut [f32], w: &[f32], rows: &[u32]);
                train::scatter_rows(g: &mut [f32], rows: &[u32], delta: &[f32]);
                train::pair(acc: &[f32], out: &mut [f32]);
                train::pair_backward(acc: &mut [f32], out: &[f32]);
                train::matvec(out: &mut [f32], b: &[f32], w: &[f32], x: &[f32]);
                train::matvec_backward(dx: &mut [f32], dw: &mut [f32], w: &[f32], x: &[f32], d: &[f32]);
                train::adam(w: &mut [f32], m: &mut [f32], v: &mut [f32], g: &[f32], step: &AdamStep);
            }
        }
    };
    (@entries $isa:ty, $features:literal,
     $($group:ident::$kernel:ident($($arg:ident: $type:ty),*) $(-> $out:ty)?;)*) => {
        $(
            #[target_feature(enable = $features)]
            fn $kernel($($arg: $type),*) $(-> $out)? {
                // SAFETY: this function carries the features of the instruction set.
                unsafe { generic::$group::$kernel::<$isa>($($arg),*) }
            }
        )*
    };
}

pub(crate) use entry_points;
