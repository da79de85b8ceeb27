/* Checks engine.h against the library: sizes, offsets, constants and every function's answer to
 * sense and nonsense. Prints what failed; the exit code is the number of failures. */
#include "engine.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void check(int good, const char *what, int line)
{
    if (!good) {
        printf("line %d: %s\n", line, what);
        failures++;
    }
}
#define CHECK(x) check((x) != 0, #x, __LINE__)

static uint32_t now;
static uint32_t clock_ms(void) { return now += 10; }
static uint8_t pressed;
static uint8_t key_pressed(void) { return pressed; }

static engine_move_t mv(int fr, int fc, int tr, int tc, int flags)
{
    engine_move_t m;
    m.from_row = (uint8_t)fr;
    m.from_col = (uint8_t)fc;
    m.to_row = (uint8_t)tr;
    m.to_col = (uint8_t)tc;
    m.flags = (uint8_t)flags;
    return m;
}

static engine_position_t empty(void)
{
    engine_position_t p;
    memset(&p, 0, sizeof p);
    p.turn = 1;
    p.ep_row = p.ep_col = ENGINE_EP_NONE;
    p.fullmove_number = 1;
    p.board[7][4] = 6;
    p.board[0][4] = -6;
    return p;
}

/* Equal in every field; the padding may differ. */
static int same(const engine_position_t *a, const engine_position_t *b)
{
    return memcmp(a->board, b->board, sizeof a->board) == 0 && a->turn == b->turn &&
           a->castling == b->castling && a->ep_row == b->ep_row && a->ep_col == b->ep_col &&
           a->halfmove_clock == b->halfmove_clock && a->fullmove_number == b->fullmove_number;
}

static void layout(void)
{
    CHECK(sizeof(engine_move_t) == 5);
    CHECK(sizeof(engine_move_effects_t) == 8);
    CHECK(sizeof(engine_position_t) == 72);
    CHECK(offsetof(engine_position_t, turn) == 64);
    CHECK(offsetof(engine_position_t, castling) == 65);
    CHECK(offsetof(engine_position_t, ep_row) == 66);
    CHECK(offsetof(engine_position_t, ep_col) == 67);
    CHECK(offsetof(engine_position_t, halfmove_clock) == 68);
    CHECK(offsetof(engine_position_t, fullmove_number) == 70);
    CHECK(sizeof(engine_info_t) == 8);
    CHECK(offsetof(engine_info_t, score) == 4);
    CHECK(offsetof(engine_info_t, depth) == 6);
    CHECK(engine_api_version() == ENGINE_API_VERSION);
    CHECK(engine_table_bytes() == 32768);
    CHECK(engine_ram_bytes() <= 46u * 1024u);
}

static void start_position(void)
{
    engine_position_t p;
    engine_move_t moves[218];
    engine_new_game();
    engine_get_position(&p);
    CHECK(p.board[0][0] == -4 && p.board[7][3] == 5 && p.board[6][4] == 1 && p.board[1][4] == -1);
    CHECK(p.turn == 1 && p.fullmove_number == 1 && p.halfmove_clock == 0);
    CHECK(p.castling == (ENGINE_CASTLE_WK | ENGINE_CASTLE_WQ | ENGINE_CASTLE_BK | ENGINE_CASTLE_BQ));
    CHECK(p.ep_row == ENGINE_EP_NONE && p.ep_col == ENGINE_EP_NONE);
    CHECK(engine_get_all_moves(moves, 218) == 20);
    CHECK(engine_get_all_moves(moves, 7) == 7);
    CHECK(engine_get_all_moves(NULL, 0) == 20);
    CHECK(engine_get_moves_from(7, 1, moves, 218) == 2);
    CHECK(engine_get_moves_from(4, 4, moves, 218) == 0);
    CHECK(engine_get_moves_from(0, 1, moves, 218) == 0);
    CHECK(engine_get_status() == ENGINE_STATUS_NORMAL && engine_in_check() == 0);
}

static void fools_mate(void)
{
    engine_new_game();
    CHECK(engine_make_move(mv(6, 5, 5, 5, 0)) == ENGINE_STATUS_NORMAL);
    CHECK(engine_make_move(mv(1, 4, 3, 4, 0)) == ENGINE_STATUS_NORMAL);
    CHECK(engine_make_move(mv(6, 6, 4, 6, 0)) == ENGINE_STATUS_NORMAL);
    CHECK(engine_make_move_flat(0, 3, 4, 7, 0) == ENGINE_STATUS_CHECKMATE);
    CHECK(engine_get_status() == ENGINE_STATUS_CHECKMATE && engine_in_check() == 1);
    CHECK(engine_think(3, 0).from_row == ENGINE_SQ_NONE);
}

static void special_moves(void)
{
    engine_position_t p = empty(), q;
    engine_move_effects_t fx;
    engine_move_t moves[32];
    uint8_t n, i, seen = 0;

    p.board[7][7] = 4;
    p.board[1][0] = 1; /* promotes on a8 */
    p.castling = ENGINE_CASTLE_WK;
    CHECK(engine_set_position(&p) == ENGINE_SETUP_OK);
    engine_get_position(&q);
    CHECK(memcmp(p.board, q.board, sizeof p.board) == 0 && q.castling == p.castling);
    engine_get_move_effects(mv(7, 4, 7, 6, 0), &fx);
    CHECK(fx.has_rook_move == 1 && fx.rook_from_row == 7 && fx.rook_from_col == 7);
    CHECK(fx.rook_to_row == 7 && fx.rook_to_col == 5 && fx.has_ep_capture == 0);
    n = engine_get_moves_from(1, 0, moves, 32);
    CHECK(n == 4);
    for (i = 0; i < n; i++) {
        CHECK(moves[i].flags & ENGINE_FLAG_PROMOTION);
        seen |= (uint8_t)(1 << ((moves[i].flags & ENGINE_FLAG_PROMO_MASK) >> 4));
    }
    CHECK(seen == 15);
    CHECK(engine_is_legal(1, 0, 0, 0) == 1);
    CHECK(engine_is_legal_move(mv(1, 0, 0, 0, 0)) == 0);
    CHECK(engine_is_legal_flat(1, 0, 0, 0, ENGINE_FLAG_PROMOTION | ENGINE_FLAG_PROMO_N) == 1);
    CHECK(engine_make_move(mv(1, 0, 0, 0, ENGINE_FLAG_PROMOTION)) == ENGINE_STATUS_CHECK);
    engine_get_position(&q);
    CHECK(q.board[0][0] == 5 && q.turn == -1);

    p = empty();
    p.board[3][4] = 1;
    p.board[3][3] = -1;
    p.ep_row = 2;
    p.ep_col = 3;
    CHECK(engine_set_position(&p) == ENGINE_SETUP_OK);
    engine_get_move_effects_flat(3, 4, 2, 3, 0, &fx);
    CHECK(fx.has_ep_capture == 1 && fx.ep_capture_row == 3 && fx.ep_capture_col == 3);
    CHECK(fx.has_rook_move == 0);
    CHECK(engine_make_move(mv(3, 4, 2, 3, 0)) == ENGINE_STATUS_NORMAL);
    engine_get_position(&q);
    CHECK(q.board[3][3] == 0 && q.board[2][3] == 1);
}

static void bad_setups(void)
{
    engine_position_t p, before, after;
    engine_new_game();
    engine_get_position(&before);
    CHECK(engine_set_position(NULL) == ENGINE_SETUP_NULL);
    p = empty(); p.board[4][4] = 9;  CHECK(engine_set_position(&p) == ENGINE_SETUP_PIECE);
    p = empty(); p.board[4][4] = -128; CHECK(engine_set_position(&p) == ENGINE_SETUP_PIECE);
    p = empty(); p.board[7][4] = 0;  CHECK(engine_set_position(&p) == ENGINE_SETUP_KINGS);
    p = empty(); p.board[4][4] = 6;  CHECK(engine_set_position(&p) == ENGINE_SETUP_KINGS);
    p = empty(); p.board[0][0] = 1;  CHECK(engine_set_position(&p) == ENGINE_SETUP_PAWN_ROW);
    p = empty(); p.turn = 0;         CHECK(engine_set_position(&p) == ENGINE_SETUP_TURN);
    p = empty(); p.castling = 1;     CHECK(engine_set_position(&p) == ENGINE_SETUP_CASTLING);
    p = empty(); p.castling = 16;    CHECK(engine_set_position(&p) == ENGINE_SETUP_CASTLING);
    p = empty(); p.ep_row = 2; p.ep_col = 3;
    CHECK(engine_set_position(&p) == ENGINE_SETUP_EN_PASSANT);
    p = empty(); p.ep_row = 2;       CHECK(engine_set_position(&p) == ENGINE_SETUP_EN_PASSANT);
    p = empty(); p.board[5][4] = 4;  CHECK(engine_set_position(&p) == ENGINE_SETUP_EXPOSED);
    p = empty(); memset(p.board[2], 5, 8); memset(p.board[3], 5, 8);
    CHECK(engine_set_position(&p) == ENGINE_SETUP_TOO_MANY);
    engine_get_position(&after);
    CHECK(same(&before, &after));
}

static void nonsense(void)
{
    engine_move_effects_t fx;
    int i;
    engine_new_game();
    for (i = 0; i < 256; i++) {
        engine_move_t m = mv(i, 255 - i, i * 7, i * 13, i);
        (void)engine_is_legal(m.from_row, m.from_col, m.to_row, m.to_col);
        if (i > 7) {
            CHECK(engine_is_legal_move(m) == 0);
            CHECK(engine_make_move(m) == ENGINE_STATUS_ILLEGAL);
        }
        memset(&fx, 1, sizeof fx);
        engine_get_move_effects(mv(i, i, i, i, i), &fx);
        CHECK(fx.has_rook_move == 0 && fx.has_ep_capture == 0);
    }
    engine_get_move_effects(mv(6, 4, 4, 4, 0), NULL);
    engine_get_position(NULL);
    engine_get_info(NULL);
    engine_think_flat(1, 0, NULL);
    engine_ponder_stop();
    CHECK(engine_ponder_step(100) == 0);
    engine_init(NULL);
    CHECK(engine_think(0, 0).from_row != ENGINE_SQ_NONE);
    CHECK(engine_think(0, 200).from_row != ENGINE_SQ_NONE); /* no clock: nodes instead */
}

static void thinking(void)
{
    engine_hooks_t hooks;
    engine_info_t info;
    engine_move_t m;
    engine_position_t before, after;
    hooks.time_ms = clock_ms;
    hooks.input_pending = key_pressed;
    engine_init(&hooks);
    engine_get_position(&before);
    m = engine_think(4, 0);
    engine_get_info(&info);
    CHECK(info.depth == 4 && info.nodes > 0);
    CHECK(engine_is_legal_move(m) == 1);
    m = engine_think(0, 500); /* the clock runs 10 ms a look */
    CHECK(engine_is_legal_move(m) == 1);
    engine_set_node_limit(777);
    m = engine_think(0, 0);
    engine_get_info(&info);
    CHECK(info.nodes == 777 && engine_is_legal_move(m) == 1);
    engine_set_node_limit(0);

    engine_ponder_begin(mv(6, 4, 4, 4, 0));
    CHECK(engine_ponder_step(333) == 333);
    CHECK(engine_ponder_step(1) == 1);
    pressed = 1;
    CHECK(engine_ponder_step(500) == 0);
    pressed = 0;
    CHECK(engine_ponder_step(40) == 40);
    engine_get_position(&after); /* ends pondering */
    CHECK(same(&before, &after));
    CHECK(engine_ponder_step(40) == 0);
    engine_ponder_begin_flat(9, 9, 9, 9, 9);
    CHECK(engine_ponder_step(65535) == 65535);
    engine_ponder_stop();
    CHECK(engine_make_move(mv(6, 4, 4, 4, 0)) == ENGINE_STATUS_NORMAL);

    engine_set_seed(5);
    engine_set_level(1);
    m = engine_think(0, 0);
    CHECK(engine_is_legal_move(m) == 1);
    engine_set_level(255);
    m = engine_think(0, 100);
    CHECK(engine_is_legal_move(m) == 1);
    engine_set_level(ENGINE_LEVEL_FULL);
}

static void repetition(void)
{
    int i;
    uint8_t status = 0;
    engine_new_game();
    for (i = 0; i < 2; i++) {
        CHECK(engine_make_move(mv(7, 6, 5, 5, 0)) == ENGINE_STATUS_NORMAL);
        CHECK(engine_make_move(mv(0, 6, 2, 5, 0)) == ENGINE_STATUS_NORMAL);
        CHECK(engine_make_move(mv(5, 5, 7, 6, 0)) == ENGINE_STATUS_NORMAL);
        status = engine_make_move(mv(2, 5, 0, 6, 0));
        CHECK(status == (i == 1 ? ENGINE_STATUS_DRAW_REP : ENGINE_STATUS_NORMAL));
    }
}

int main(void)
{
    CHECK(engine_get_status() == ENGINE_STATUS_NORMAL); /* before engine_init() */
    engine_init(NULL);
    layout();
    start_position();
    fools_mate();
    special_moves();
    bad_setups();
    nonsense();
    thinking();
    repetition();
    engine_cleanup();
    printf("%d failures\n", failures);
    return failures > 99 ? 99 : failures;
}
