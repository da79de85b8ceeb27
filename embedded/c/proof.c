/* What must come out the same wherever the engine runs: leaf counts, searches, a game at a level
 * and pondering, by the functions of engine.h alone. `cargo xtask pocket-c` compares what it prints
 * with each compiler, with the Rust library and on an emulated eZ80.
 *
 * On the emulated eZ80 bytes leave through ports: 0x10 prints, 0x11 marks the start and end of what
 * is timed, 0x12 ends the run. */
#include <stddef.h>
#include <stdint.h>

#include "engine.h"

#ifdef __SDCC
__sfr __at(0x10) out_port;
__sfr __at(0x11) mark_port;
__sfr __at(0x12) exit_port;
#define MARK(n) (mark_port = (n))
static void put(char c) { out_port = (uint8_t)c; }
static void leave(void)
{
    exit_port = 0;
    for (;;) {
    }
}
#else
#include <stdio.h>
#define MARK(n) ((void)(n))
static void put(char c) { putchar(c); }
static void leave(void) {}
#endif

/* A machine with 64 KB has little time and little memory. */
#ifdef PROOF_SMALL
#define NODES 600u
#define DEPTH 2
#define PLIES 12
#else
#define NODES 5000u
#define DEPTH 3
#define PLIES 60
#endif

static const char *const positions[6] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w -",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w -",
};

static void text(const char *s)
{
    while (*s != '\0') {
        put(*s++);
    }
}

/* A number in hexadecimal, which needs no division. */
static void number(uint32_t n)
{
    int8_t shift = 28;
    put(' ');
    while (shift > 0 && (n >> shift) == 0) {
        shift -= 4;
    }
    for (; shift >= 0; shift -= 4) {
        put("0123456789abcdef"[(n >> shift) & 15u]);
    }
}

static void print_move(const engine_move_t *m)
{
    number(((uint32_t)m->from_row << 12) | ((uint32_t)m->from_col << 8) |
           ((uint32_t)m->to_row << 4) | m->to_col);
    number(m->flags);
}

static int8_t piece_of(char c)
{
    static const char names[] = "pnbrqk";
    int8_t i;
    for (i = 0; i < 6; i++) {
        if (c == names[i]) {
            return (int8_t)-(i + 1);
        }
        if (c == names[i] - 'a' + 'A') {
            return (int8_t)(i + 1);
        }
    }
    return 0;
}

static uint8_t set_up(const char *fen)
{
    static engine_position_t p;
    uint8_t i;
    for (i = 0; i < 64; i++) {
        p.board[i >> 3][i & 7] = 0;
    }
    for (i = 0; *fen != ' '; fen++) {
        if (*fen >= '1' && *fen <= '8') {
            i = (uint8_t)(i + (*fen - '0'));
        } else if (*fen != '/') {
            p.board[i >> 3][i & 7] = piece_of(*fen);
            i++;
        }
    }
    p.turn = fen[1] == 'w' ? 1 : -1;
    p.castling = 0;
    for (fen += 3; *fen != '\0'; fen++) {
        switch (*fen) {
        case 'K': p.castling |= ENGINE_CASTLE_WK; break;
        case 'Q': p.castling |= ENGINE_CASTLE_WQ; break;
        case 'k': p.castling |= ENGINE_CASTLE_BK; break;
        case 'q': p.castling |= ENGINE_CASTLE_BQ; break;
        default: break;
        }
    }
    p.ep_row = ENGINE_EP_NONE;
    p.ep_col = ENGINE_EP_NONE;
    p.halfmove_clock = 0;
    p.fullmove_number = 1;
    engine_new_game();
    return engine_set_position(&p);
}

static engine_move_t lists[DEPTH - 1][218];

static uint32_t leaves(uint8_t depth)
{
    engine_position_t here;
    uint8_t i, count;
    uint32_t sum = 0;
    if (depth == 1) {
        return engine_get_all_moves(NULL, 0);
    }
    engine_get_position(&here);
    count = engine_get_all_moves(lists[depth - 2], 218);
    for (i = 0; i < count; i++) {
        const engine_move_t *m = &lists[depth - 2][i];
        engine_make_move_flat(m->from_row, m->from_col, m->to_row, m->to_col, m->flags);
        sum += leaves((uint8_t)(depth - 1));
        engine_set_position(&here);
    }
    return sum;
}

static void search(void)
{
    engine_move_t best;
    engine_info_t info;
    engine_think_flat(0, 0, &best);
    engine_get_info(&info);
    print_move(&best);
    number((uint16_t)info.score);
    number(info.depth);
    number(info.nodes);
    put('\n');
}

/* A game of a level against itself, with pondering between the moves. */
static void play(uint8_t level)
{
    engine_move_t m;
    engine_move_effects_t fx;
    uint8_t ply, status = ENGINE_STATUS_NORMAL;
    engine_new_game();
    engine_set_seed(7);
    engine_set_level(level);
    for (ply = 0; ply < PLIES && status <= ENGINE_STATUS_CHECK; ply++) {
        engine_ponder_begin_flat(ENGINE_SQ_NONE, 0, 0, 0, 0);
        number(engine_ponder_step(40));
        engine_think_flat(0, 0, &m);
        print_move(&m);
        engine_get_move_effects_flat(m.from_row, m.from_col, m.to_row, m.to_col, m.flags, &fx);
        number(fx.has_rook_move);
        status = engine_make_move_flat(m.from_row, m.from_col, m.to_row, m.to_col, m.flags);
        number(status);
        put('\n');
    }
    engine_set_level(ENGINE_LEVEL_FULL);
}

int main(void)
{
    uint8_t i;
    engine_init(NULL);
    for (i = 0; i < 6; i++) {
        number(set_up(positions[i]));
        number(leaves(DEPTH));
        put('\n');
    }
    engine_set_node_limit(NODES);
    MARK(1);
    for (i = 0; i < 6; i++) {
        set_up(positions[i]);
        text("think");
        search();
    }
    MARK(2);
    engine_set_node_limit(0);
    play(3);
    leave();
    return 0;
}
