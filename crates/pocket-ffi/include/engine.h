/* engine.h - the pocket chess engine for C programs.
 *
 * Include this file, link libpocket_ffi.a, and call engine_init() once. There is one engine, with
 * its memory inside the library (engine_ram_bytes() tells how much); it is not thread-safe and
 * uses no heap. Every function accepts every argument: what makes no sense is answered with an
 * error code or zero and changes nothing.
 *
 * Rows and columns are 0..7. Row 0 is Black's back rank (rank 8), row 7 is White's (rank 1);
 * column 0 is the a-file. Times are milliseconds.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef ENGINE_H
#define ENGINE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ---- */

#define ENGINE_API_VERSION 1

/* SDCC cannot pass structures by value: it has the functions that end in _flat. */
#ifdef __SDCC
#define ENGINE_NO_STRUCTURES_BY_VALUE
#endif

/* ---- Types ---- */

typedef uint32_t (*engine_time_ms_fn)(void);
typedef uint8_t (*engine_input_pending_fn)(void);

typedef struct {
    engine_time_ms_fn time_ms;             /* for time-limited thinking; see engine_think() */
    engine_input_pending_fn input_pending; /* optional: ends engine_ponder_step() early */
} engine_hooks_t;

typedef struct {
    int8_t board[8][8];       /* pawn 1, knight 2, bishop 3, rook 4, queen 5, king 6; Black < 0 */
    int8_t turn;              /* 1 = White, -1 = Black */
    uint8_t castling;         /* ENGINE_CASTLE_* bits */
    uint8_t ep_row;           /* the square a pawn just stepped over, or ENGINE_EP_NONE */
    uint8_t ep_col;
    uint8_t halfmove_clock;   /* half-moves since the last capture or pawn move */
    uint16_t fullmove_number; /* 1 at the start */
} engine_position_t;

typedef struct {
    uint8_t from_row; /* ENGINE_SQ_NONE: no move */
    uint8_t from_col;
    uint8_t to_row;
    uint8_t to_col;
    uint8_t flags; /* ENGINE_FLAG_* bits */
} engine_move_t;

typedef struct {
    uint8_t has_rook_move; /* castling: the rook moves too */
    uint8_t rook_from_row, rook_from_col;
    uint8_t rook_to_row, rook_to_col;
    uint8_t has_ep_capture; /* en passant: the pawn that disappears */
    uint8_t ep_capture_row, ep_capture_col;
} engine_move_effects_t;

/* What the last engine_think() found. */
typedef struct {
    uint32_t nodes; /* positions looked at */
    int16_t score;  /* centipawns for the side that thought; beyond +-30000 a mate */
    uint8_t depth;  /* the last finished iteration */
} engine_info_t;

/* ---- Constants ---- */

/* Castling rights */
#define ENGINE_CASTLE_WK 0x01
#define ENGINE_CASTLE_WQ 0x02
#define ENGINE_CASTLE_BK 0x04
#define ENGINE_CASTLE_BQ 0x08
#define ENGINE_EP_NONE 0xFF
#define ENGINE_SQ_NONE 0xFF

/* Move flags. In moves that you pass in, only PROMOTION and the piece matter. */
#define ENGINE_FLAG_CAPTURE 0x01
#define ENGINE_FLAG_CASTLE 0x02
#define ENGINE_FLAG_EN_PASSANT 0x04
#define ENGINE_FLAG_PROMOTION 0x08
#define ENGINE_FLAG_PROMO_Q 0x00 /* the default when PROMOTION is set */
#define ENGINE_FLAG_PROMO_R 0x10
#define ENGINE_FLAG_PROMO_B 0x20
#define ENGINE_FLAG_PROMO_N 0x30
#define ENGINE_FLAG_PROMO_MASK 0x30

/* Game status */
#define ENGINE_STATUS_NORMAL 0
#define ENGINE_STATUS_CHECK 1
#define ENGINE_STATUS_CHECKMATE 2
#define ENGINE_STATUS_STALEMATE 3
#define ENGINE_STATUS_DRAW_50 4
#define ENGINE_STATUS_DRAW_REP 5
#define ENGINE_STATUS_DRAW_MAT 6 /* insufficient material */
#define ENGINE_STATUS_ILLEGAL 0xFF /* engine_make_move(): not a legal move, nothing changed */

/* Answers of engine_set_position() */
#define ENGINE_SETUP_OK 0
#define ENGINE_SETUP_PIECE 1      /* a square holds something that is no piece */
#define ENGINE_SETUP_KINGS 2      /* a side has not exactly one king */
#define ENGINE_SETUP_PAWN_ROW 3   /* a pawn on row 0 or 7 */
#define ENGINE_SETUP_TOO_MANY 4   /* more pieces than promotions explain */
#define ENGINE_SETUP_TURN 5       /* turn is neither 1 nor -1 */
#define ENGINE_SETUP_CASTLING 6   /* a right without king and rook at home */
#define ENGINE_SETUP_EN_PASSANT 7 /* no pawn can just have stepped over that square */
#define ENGINE_SETUP_EXPOSED 8    /* the side that is not to move is in check */
#define ENGINE_SETUP_NULL 9       /* a null pointer */

/* engine_set_level() */
#define ENGINE_LEVEL_FULL 0
#define ENGINE_LEVEL_MAX 10

/* ---- Lifecycle ---- */

/* Starts the engine with a new game. hooks may be NULL; they are copied. */
void engine_init(const engine_hooks_t *hooks);
/* The start of a game; forgets what was learned in the last. */
void engine_new_game(void);
/* Ends pondering and forgets hooks and game. engine_init() may follow. */
void engine_cleanup(void);

/* ---- Position ---- */

/* Takes over a position with no past. ENGINE_SETUP_OK, or why not (the old one is kept). */
uint8_t engine_set_position(const engine_position_t *pos);
/* The current position. The en-passant square is given only if a capture there is legal. */
void engine_get_position(engine_position_t *out);

/* ---- Legal moves ---- */

/* The legal moves of the piece at (row, col): how many were written to out[], at most max.
   0 if there is no piece of the side to move. out may be NULL: then nothing is written and the
   number of moves is returned. A promotion counts four times. */
uint8_t engine_get_moves_from(uint8_t row, uint8_t col, engine_move_t *out, uint8_t max);
/* The legal moves of the side to move, in the same way. There are never more than 218. */
uint8_t engine_get_all_moves(engine_move_t *out, uint8_t max);
/* 1 if some move between the squares is legal, whatever a pawn becomes. */
uint8_t engine_is_legal(uint8_t from_r, uint8_t from_c, uint8_t to_r, uint8_t to_c);
#ifndef ENGINE_NO_STRUCTURES_BY_VALUE
/* 1 if the move is legal, the promotion flags included. */
uint8_t engine_is_legal_move(engine_move_t move);
#endif

/* ---- Making moves ---- */

#ifndef ENGINE_NO_STRUCTURES_BY_VALUE
/* Plays a move. The status after it, or ENGINE_STATUS_ILLEGAL. */
uint8_t engine_make_move(engine_move_t move);
/* What else changes on the board; call it BEFORE engine_make_move(). All zero if the move is
   not legal. */
void engine_get_move_effects(engine_move_t move, engine_move_effects_t *fx);
#endif

/* ---- Thinking ---- */

#ifndef ENGINE_NO_STRUCTURES_BY_VALUE
/* The best move for the side to move.
   max_depth 0: no depth limit. max_time_ms 0: no time limit. Both 0: depth 1, unless a node
   limit is set. Without a clock in the hooks, time becomes nodes at 350 a second.
   from_row is ENGINE_SQ_NONE if there is no legal move. Nothing is played. */
engine_move_t engine_think(uint8_t max_depth, uint32_t max_time_ms);
#endif
/* A limit on nodes for each engine_think(); 0 is none. */
void engine_set_node_limit(uint32_t nodes);
/* Strength 1 to 10, or ENGINE_LEVEL_FULL. A level has its own limits on depth and nodes. */
void engine_set_level(uint8_t level);
/* What the variety of levels and openings starts from: the same seed, the same game. */
void engine_set_seed(uint32_t seed);
/* What the last engine_think() found. */
void engine_get_info(engine_info_t *out);

/* ---- Pondering: thinking in the other side's time, a little in each frame ---- */

#ifndef ENGINE_NO_STRUCTURES_BY_VALUE
/* Begins to think about what follows a move of the side to move. A move that is not legal means
   the one the engine expects itself. */
void engine_ponder_begin(engine_move_t predicted_reply);
#endif
/* Searches exactly node_budget positions, fewer if input is pending or the search is complete.
   Returns how many. */
uint16_t engine_ponder_step(uint16_t node_budget);
/* Ends pondering; every other function does that by itself. */
void engine_ponder_stop(void);

/* ---- Queries ---- */

uint8_t engine_get_status(void);
uint8_t engine_in_check(void);
/* ENGINE_API_VERSION of the library. */
uint8_t engine_api_version(void);
/* RAM of the library: all of its state, the table included. The stack is yours. */
uint32_t engine_ram_bytes(void);
/* The table's part of it. */
uint32_t engine_table_bytes(void);

/* ---- The same without structures by value, for compilers that cannot pass them ---- */

uint8_t engine_is_legal_flat(uint8_t from_r, uint8_t from_c, uint8_t to_r, uint8_t to_c,
                             uint8_t flags);
uint8_t engine_make_move_flat(uint8_t from_r, uint8_t from_c, uint8_t to_r, uint8_t to_c,
                              uint8_t flags);
void engine_get_move_effects_flat(uint8_t from_r, uint8_t from_c, uint8_t to_r, uint8_t to_c,
                                  uint8_t flags, engine_move_effects_t *fx);
void engine_think_flat(uint8_t max_depth, uint32_t max_time_ms, engine_move_t *out);
void engine_ponder_begin_flat(uint8_t from_r, uint8_t from_c, uint8_t to_r, uint8_t to_c,
                              uint8_t flags);

#ifdef __cplusplus
}
#endif

#endif /* ENGINE_H */
