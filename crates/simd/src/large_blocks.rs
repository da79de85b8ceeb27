//! What becomes of a large block of memory when it is let go.

/// Asks the allocator to give blocks of 128 KB and more back to the system as soon as they are free,
/// where it would keep them. For programs that run for long and now and then need a large block in
/// one of many threads. It changes nothing but the memory that is held, and the time for such blocks.
///
/// GNU's allocator keeps a pool for each of some threads, and moves its border between small and
/// large upwards whenever a large block is freed, up to 32 MB: after some requests of a megabyte each
/// pool holds a few free ones for ever. To set the border once is to keep it there.
pub fn give_back_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    {
        use core::ffi::c_int;
        const M_MMAP_THRESHOLD: c_int = -3;
        unsafe extern "C" {
            fn mallopt(parameter: c_int, value: c_int) -> c_int;
        }
        // SAFETY: it takes numbers alone and locks the allocator itself; where it refuses them,
        // everything stays as it was.
        unsafe { mallopt(M_MMAP_THRESHOLD, 128 << 10) };
    }
}
