
/* The host of the translated proof. On the emulated eZ80 bytes leave through ports: 0x10 prints,
 * 0x11 marks the start and end of what is timed, 0x12 ends the run. Elsewhere it is an ordinary
 * program. */
#ifdef __SDCC
__sfr __at(0x10) out_port;
__sfr __at(0x11) mark_port;
__sfr __at(0x12) exit_port;
#define MARK(n) mark_port = (n)
static void pk_put(uint8_t byte) { out_port = byte; }
static void leave(uint8_t code)
{
    exit_port = code;
    for (;;)
        ;
}
#else
#include <stdio.h>
#include <stdlib.h>
#define MARK(n) ((void)(n))
static void pk_put(uint8_t byte) { putchar(byte); }
static void leave(uint8_t code) { exit(code); }
#endif

static void pk_trap(void) { leave(3); }

int main(void)
{
    pk_counts();
    MARK(1);
    pk_searches();
    MARK(2);
    leave(0);
    return 0;
}
