//! A hint to the processor that memory is needed soon.

/// Starts loading the cache line of a value. Only a hint: it changes nothing but the time.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    prefetch_at(value);
}

/// The same of any address.
#[inline(always)]
pub(crate) fn prefetch_at<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching never faults, whatever the address, and SSE is part of x86-64. It saves the
        // search the wait for main memory at nearly every node.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
