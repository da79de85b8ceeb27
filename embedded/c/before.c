/* Brier Pocket: a chess engine for very small computers, in one file of C99. See engine.h.
 *
 * Generated from Rust by `cargo xtask dist-pocket`: change it there. The interface to C is written
 * by hand and stands at the end. It needs no heap, and of the C library memcpy, memmove and memset.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "engine.h"
#include "platform.h"

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "the tables and the state are little-endian"
#endif
#endif

/* What the engine asks of its host; defined at the end. */
static uint8_t pk_has_clock(void);
static uint32_t pk_time_ms(void);
static uint8_t pk_input_pending(void);
static void pk_set_hooks(const uint8_t *hooks);
static void pk_trap(void);

