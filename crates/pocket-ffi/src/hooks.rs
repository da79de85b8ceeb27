//! The host's clock and keyboard.
//!
//! A Rust library keeps the two functions that `engine_init` was given. In the translation to C
//! (feature `c-export`) no pointer may lie in the engine's memory, because its width differs from
//! machine to machine: there `embedded/c/after.c` keeps them.

#[cfg(not(feature = "c-export"))]
mod kept {
    use crate::state::with_hooks;
    use crate::types::engine_hooks_t;

    const NONE: engine_hooks_t = engine_hooks_t { time_ms: None, input_pending: None };

    /// Copies the host's hooks; null means none.
    ///
    /// # Safety
    /// The pointer is null or points to hooks whose functions may be called until the next
    /// `set`.
    pub(crate) unsafe fn set(hooks: *const engine_hooks_t) {
        // SAFETY: the same condition.
        let hooks = unsafe { crate::read(hooks) };
        with_hooks(|slot| *slot = hooks.unwrap_or(NONE));
    }

    /// The clock, if there is one.
    pub(crate) fn now() -> Option<u32> {
        // SAFETY: the host promised in `engine_init` that its functions may be called.
        with_hooks(|hooks| hooks.time_ms).map(|clock| unsafe { clock() })
    }

    /// Whether the user did something.
    pub(crate) fn input_pending() -> bool {
        // SAFETY: as above.
        with_hooks(|hooks| hooks.input_pending).is_some_and(|pending| unsafe { pending() } != 0)
    }
}

#[cfg(feature = "c-export")]
mod kept {
    use crate::types::engine_hooks_t;

    unsafe extern "C" {
        safe fn pk_has_clock() -> u8;
        safe fn pk_time_ms() -> u32;
        safe fn pk_input_pending() -> u8;
        fn pk_set_hooks(hooks: *const engine_hooks_t);
    }

    /// Lets the C side copy the host's hooks; null means none.
    ///
    /// # Safety
    /// The pointer is null or points to hooks whose functions may be called until the next
    /// `set`.
    pub(crate) unsafe fn set(hooks: *const engine_hooks_t) {
        // SAFETY: the same condition.
        unsafe { pk_set_hooks(hooks) }
    }

    /// The clock, if there is one.
    pub(crate) fn now() -> Option<u32> {
        if pk_has_clock() == 0 { None } else { Some(pk_time_ms()) }
    }

    /// Whether the user did something.
    pub(crate) fn input_pending() -> bool {
        pk_input_pending() != 0
    }
}

pub(crate) use kept::{input_pending, now, set};
