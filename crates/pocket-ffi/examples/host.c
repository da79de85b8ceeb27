/* host.c - a small complete chess program for the terminal that uses engine.h and nothing else.
 *
 *   cc -std=c99 -Iinclude examples/host.c libpocket_ffi.a -o chess && ./chess
 *
 * Commands: a square (e2) shows where its piece may go; a move (e2e4, e7e8n) plays it and the
 * engine answers; "level 1".."level 10" or "level 0" (full strength); "go" lets the engine move;
 * "auto" plays the game to its end; "new", "board", "quit". While it waits for a command the
 * engine ponders: on a terminal a real program would do that in its idle loop, here one portion
 * runs before each line is read.
 */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEPTH 0
#define TIME_MS 200

static uint32_t time_ms(void)
{
    return (uint32_t)((double)clock() * 1000.0 / (double)CLOCKS_PER_SEC);
}

static void draw(const engine_move_t *marks, int count)
{
    static const char letters[] = ".PNBRQK";
    engine_position_t p;
    int row, col, i;
    engine_get_position(&p);
    for (row = 0; row < 8; row++) {
        printf("%d ", 8 - row);
        for (col = 0; col < 8; col++) {
            int piece = p.board[row][col];
            char c = letters[piece < 0 ? -piece : piece];
            char around = ' ';
            if (piece < 0)
                c = (char)(c - 'A' + 'a');
            for (i = 0; i < count; i++)
                if (marks[i].to_row == row && marks[i].to_col == col)
                    around = '*';
            printf("%c%c", around, c);
        }
        printf("\n");
    }
    printf("   a b c d e f g h   %s to move\n", p.turn > 0 ? "White" : "Black");
}

static void say_move(engine_move_t m)
{
    printf("%c%d%c%d", 'a' + m.from_col, 8 - m.from_row, 'a' + m.to_col, 8 - m.to_row);
    if (m.flags & ENGINE_FLAG_PROMOTION)
        printf("%c", "qrbn"[(m.flags & ENGINE_FLAG_PROMO_MASK) >> 4]);
}

/* Tells how the game stands; 1 if it is over. */
static int announce(uint8_t status)
{
    switch (status) {
    case ENGINE_STATUS_CHECK: printf("Check.\n"); return 0;
    case ENGINE_STATUS_CHECKMATE: printf("Checkmate.\n"); return 1;
    case ENGINE_STATUS_STALEMATE: printf("Stalemate.\n"); return 1;
    case ENGINE_STATUS_DRAW_50: printf("Draw: fifty moves.\n"); return 1;
    case ENGINE_STATUS_DRAW_REP: printf("Draw: repetition.\n"); return 1;
    case ENGINE_STATUS_DRAW_MAT: printf("Draw: too little material.\n"); return 1;
    default: return 0;
    }
}

/* Plays a move and reports its side effects; 1 if the game is over. */
static int play(engine_move_t m)
{
    engine_move_effects_t fx;
    engine_get_move_effects(m, &fx); /* before the move */
    say_move(m);
    if (fx.has_rook_move)
        printf(" (rook to %c%d)", 'a' + fx.rook_to_col, 8 - fx.rook_to_row);
    if (fx.has_ep_capture)
        printf(" (takes %c%d)", 'a' + fx.ep_capture_col, 8 - fx.ep_capture_row);
    printf("\n");
    return announce(engine_make_move(m));
}

static int engine_turn(void)
{
    engine_info_t info;
    engine_move_t m = engine_think(DEPTH, TIME_MS);
    if (m.from_row == ENGINE_SQ_NONE)
        return announce(engine_get_status());
    engine_get_info(&info);
    printf("Engine (depth %d, %lu nodes, score %d): ", info.depth, (unsigned long)info.nodes,
           info.score);
    return play(m);
}

static int is_square(const char *s)
{
    return s[0] >= 'a' && s[0] <= 'h' && s[1] >= '1' && s[1] <= '8';
}

/* The user's move, with the promotion he chose (a queen if he did not say). */
static int read_move(const char *s, engine_move_t *m)
{
    static const char pieces[] = "qrbn";
    const char *choice;
    if (!is_square(s) || !is_square(s + 2))
        return 0;
    m->from_col = (uint8_t)(s[0] - 'a');
    m->from_row = (uint8_t)('8' - s[1]);
    m->to_col = (uint8_t)(s[2] - 'a');
    m->to_row = (uint8_t)('8' - s[3]);
    m->flags = 0;
    if (!engine_is_legal(m->from_row, m->from_col, m->to_row, m->to_col))
        return 0;
    if (!engine_is_legal_move(*m)) { /* legal as a promotion only */
        choice = s[4] ? strchr(pieces, s[4]) : pieces;
        if (!choice)
            return 0;
        m->flags = (uint8_t)(ENGINE_FLAG_PROMOTION | ((choice - pieces) << 4));
    }
    return engine_is_legal_move(*m);
}

int main(void)
{
    engine_hooks_t hooks;
    char line[64];
    engine_move_t moves[64], m, none;
    int over = 0, count;

    hooks.time_ms = time_ms;
    hooks.input_pending = 0; /* fgets() blocks, so there is nothing to ask */
    memset(&none, ENGINE_SQ_NONE, sizeof none);
    engine_init(&hooks);
    engine_set_seed((uint32_t)time(0));
    draw(0, 0);
    for (;;) {
        printf("> ");
        fflush(stdout);
        if (!over) {
            engine_ponder_begin(none); /* what the engine expects */
            engine_ponder_step(500);
        }
        if (!fgets(line, sizeof line, stdin))
            break;
        line[strcspn(line, "\r\n")] = 0;
        if (strcmp(line, "quit") == 0)
            break;
        if (strcmp(line, "new") == 0) {
            engine_new_game();
            over = 0;
            draw(0, 0);
        } else if (strncmp(line, "level ", 6) == 0) {
            engine_set_level((uint8_t)atoi(line + 6));
        } else if (strcmp(line, "board") == 0) {
            draw(0, 0);
        } else if (over) {
            printf("The game is over: new or quit.\n");
        } else if (strcmp(line, "go") == 0) {
            over = engine_turn();
        } else if (strcmp(line, "auto") == 0) {
            while (!over)
                over = engine_turn();
            draw(0, 0);
        } else if (is_square(line) && line[2] == 0) {
            count = engine_get_moves_from((uint8_t)('8' - line[1]), (uint8_t)(line[0] - 'a'),
                                          moves, 64);
            draw(moves, count);
        } else if (read_move(line, &m)) {
            over = play(m);
            if (!over)
                over = engine_turn();
            draw(0, 0);
        } else {
            printf("Expected a square (e2), a legal move (e2e4, e7e8q), go, auto, level N, new, "
                   "board or quit; got '%s'.\n",
                   line);
        }
    }
    engine_cleanup();
    return 0;
}
