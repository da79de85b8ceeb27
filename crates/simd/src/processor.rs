//! Whether this processor has what the whole program was compiled for.
//!
//! The kernels are chosen at run time, but a build for a newer processor (`-C target-cpu`) uses
//! its instructions everywhere. On an older one the first of them would end the program without
//! a word, so binaries ask here before they do anything else.

/// The first instruction set this build needs and the processor lacks.
///
/// The function reads and compares a few words, nothing a compiler has newer instructions for.
#[inline(never)]
pub fn lacking() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::__cpuid_count;
        // A leaf beyond the highest one answers with words of another leaf.
        let basic = |leaf| leaf <= __cpuid_count(0, 0).eax;
        let first = __cpuid_count(1, 0).ecx;
        let seventh = if basic(7) { __cpuid_count(7, 0).ebx } else { 0 };
        let extended = __cpuid_count(0x8000_0001, 0).ecx;

        macro_rules! need {
            ($($feature:tt: bit $bit:literal of $word:ident;)*) => {
                $(if cfg!(target_feature = $feature) && $word >> $bit & 1 == 0 {
                    return Some($feature);
                })*
            };
        }
        // Not `is_x86_feature_detected!`, which does not look where the compiler was asked to
        // take a feature for granted.
        need! {
            "ssse3": bit 9 of first;
            "sse4.1": bit 19 of first;
            "sse4.2": bit 20 of first;
            "popcnt": bit 23 of first;
            "avx": bit 28 of first;
            "fma": bit 12 of first;
            "movbe": bit 22 of first;
            "avx2": bit 5 of seventh;
            "bmi1": bit 3 of seventh;
            "bmi2": bit 8 of seventh;
            "avx512f": bit 16 of seventh;
            "avx512vl": bit 31 of seventh;
            "lzcnt": bit 5 of extended;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_processor_that_runs_this_has_what_it_was_compiled_for() {
        assert_eq!(super::lacking(), None);
    }
}
