/* The host of the translated engine. On the emulated eZ80 bytes leave through ports: 0x10 prints,
 * 0x11 marks the start and end of what is timed, 0x12 ends the run. Elsewhere it is an ordinary
 * program. The runs and their order are those of `cargo xtask ez80`. */
#include <stdint.h>

void pk_count(uint8_t position, uint8_t depth);
void pk_think(uint8_t position, uint32_t nodes);
uint16_t pk_ram(void);

#ifdef __SDCC
__sfr __at(0x10) out_port;
__sfr __at(0x11) mark_port;
__sfr __at(0x12) exit_port;
#define MARK(n) mark_port = (n)
void pk_put(uint8_t byte) { out_port = byte; }
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
void pk_put(uint8_t byte) { putchar(byte); }
static void leave(uint8_t code) { exit(code); }
#endif

void pk_trap(void) { leave(3); }

#define NODES 600UL

static const uint8_t counts[6][2] = {{0, 3}, {1, 2}, {2, 3}, {3, 2}, {4, 2}, {5, 2}};

int main(void)
{
    uint8_t i;
    for (i = 0; i < 6; i++)
        pk_count(counts[i][0], counts[i][1]);
    MARK(1);
    for (i = 0; i < 6; i++)
        pk_think(i, NODES);
    MARK(2);
    leave(0);
    return 0;
}
