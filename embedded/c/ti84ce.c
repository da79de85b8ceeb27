/* A sketch of a host for the TI-84 Plus CE with the CE C toolchain (https://ce-programming.github.io).
 *
 * NOT COMPILED HERE: that toolchain was not at hand. It shows what a host has to bring: a clock,
 * a keyboard, and where data may lie. Build it as a CE project with pocket.c, engine.h and
 * platform.h beside it in src/.
 */
#include <graphx.h>
#include <keypadc.h>
#include <sys/timers.h>

#include "engine.h"

/* clock() counts at 32,768 Hz. */
static uint32_t time_ms(void) { return (uint32_t)(((uint64_t)clock() * 1000) >> 15); }

static uint8_t input_pending(void)
{
    kb_Scan();
    return kb_AnyKey() != 0;
}

static void draw(void)
{
    static const char letters[] = ".PNBRQK";
    engine_position_t p;
    engine_get_position(&p);
    for (uint8_t row = 0; row < 8; row++) {
        for (uint8_t col = 0; col < 8; col++) {
            int8_t piece = p.board[row][col];
            char c = letters[piece < 0 ? -piece : piece];
            gfx_SetTextFGColor(piece < 0 ? 224 : 0);
            gfx_SetTextXY(20 + col * 16, 20 + row * 16);
            gfx_PrintChar(c);
        }
    }
}

int main(void)
{
    engine_hooks_t hooks = {time_ms, input_pending};
    engine_init(&hooks);
    engine_set_level(3);
    gfx_Begin();
    /* The engine plays both sides until a key is pressed or the game is over. */
    while (engine_get_status() <= ENGINE_STATUS_CHECK) {
        engine_move_t m;
        draw();
        if (input_pending()) {
            break;
        }
        m = engine_think(0, 3000);
        if (m.from_row == ENGINE_SQ_NONE) {
            break;
        }
        engine_make_move(m);
    }
    gfx_End();
    return 0;
}
