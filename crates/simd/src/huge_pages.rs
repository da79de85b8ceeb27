//! A hint to the system that a large piece of memory is read all over the place.

/// Asks for large pages under all of the memory that can have them, where the system knows such a
/// thing. Only a hint: it changes nothing but the time.
pub fn prefer_huge_pages<T>(memory: &[T]) {
    // Miri has no system to ask.
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        use core::ffi::{c_int, c_void};
        const HUGE_PAGE: usize = 2 << 20;
        const MADV_HUGEPAGE: c_int = 14;
        unsafe extern "C" {
            fn madvise(start: *mut c_void, length: usize, advice: c_int) -> c_int;
        }
        let range = memory.as_ptr_range();
        let first = range.start.addr().next_multiple_of(HUGE_PAGE);
        let end = range.end.addr() / HUGE_PAGE * HUGE_PAGE;
        if first < end {
            let start = range.start.with_addr(first).cast_mut().cast();
            // SAFETY: the whole pages between `first` and `end` belong to the slice, and this
            // advice leaves their contents as they are. A refusal is as good as no advice. Random
            // probes of a large hash table otherwise miss the address cache nearly every time.
            unsafe { madvise(start, end - first, MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = memory;
}

#[cfg(test)]
mod tests {
    use super::prefer_huge_pages;

    #[test]
    fn contents_stay() {
        for length in [0, 1000, 1 << 20, 3 << 20] {
            let memory = vec![7_u32; length];
            prefer_huge_pages(&memory);
            assert!(memory.iter().all(|&word| word == 7));
        }
    }
}
