/* The proof of `pocket::proof` for the emulated eZ80, where 64 KB do not hold all of engine.h. */
#include <stdint.h>
#include <string.h>

static void pk_put(uint8_t byte);
static void pk_trap(void);

