
/* ---- The interface of engine.h ----
 *
 * The code above keeps structures in its own layout, so that it does not depend on how a compiler
 * pads them; here they are copied field by field. */

static engine_hooks_t hooks;

static uint8_t pk_has_clock(void) { return hooks.time_ms != NULL; }
static uint32_t pk_time_ms(void) { return hooks.time_ms(); }

static uint8_t pk_input_pending(void)
{
    return hooks.input_pending != NULL && hooks.input_pending() != 0;
}

static void pk_set_hooks(const uint8_t *given)
{
    if (given != NULL) {
        hooks = *(const engine_hooks_t *)(const void *)given;
    } else {
        hooks.time_ms = NULL;
        hooks.input_pending = NULL;
    }
}

/* Reached only by a fault in the engine. */
static void pk_trap(void)
{
    for (;;) {
        PLATFORM_TRAP();
    }
}

void engine_init(const engine_hooks_t *given) { pk_init((P)(void *)given); }

/* Where the engine keeps the parts of a position: board, turn, castling, en passant, clocks. */
#define RAW_TURN 64
#define RAW_CASTLING 65
#define RAW_EP_ROW 66
#define RAW_EP_COL 67
#define RAW_HALFMOVE 68
#define RAW_FULLMOVE 70
#define RAW_SIZE 72

uint8_t engine_set_position(const engine_position_t *pos)
{
    uint8_t raw[RAW_SIZE];
    if (pos == NULL) {
        return ENGINE_SETUP_NULL;
    }
    memcpy(raw, pos->board, 64);
    raw[RAW_TURN] = (uint8_t)pos->turn;
    raw[RAW_CASTLING] = pos->castling;
    raw[RAW_EP_ROW] = pos->ep_row;
    raw[RAW_EP_COL] = pos->ep_col;
    raw[RAW_HALFMOVE] = pos->halfmove_clock;
    raw[RAW_HALFMOVE + 1] = 0;
    raw[RAW_FULLMOVE] = (uint8_t)(pos->fullmove_number & 255u);
    raw[RAW_FULLMOVE + 1] = (uint8_t)(pos->fullmove_number >> 8);
    return pk_set_position(raw);
}

void engine_get_position(engine_position_t *out)
{
    uint8_t raw[RAW_SIZE];
    if (out == NULL) {
        return;
    }
    pk_get_position(raw);
    memcpy(out->board, raw, 64);
    out->turn = (int8_t)raw[RAW_TURN];
    out->castling = raw[RAW_CASTLING];
    out->ep_row = raw[RAW_EP_ROW];
    out->ep_col = raw[RAW_EP_COL];
    out->halfmove_clock = raw[RAW_HALFMOVE];
    out->fullmove_number =
        (uint16_t)(raw[RAW_FULLMOVE] | ((unsigned)raw[RAW_FULLMOVE + 1] << 8));
}

void engine_get_info(engine_info_t *out)
{
    uint8_t raw[8];
    if (out == NULL) {
        return;
    }
    pk_get_info(raw);
    out->nodes = (uint32_t)raw[0] | ((uint32_t)raw[1] << 8) | ((uint32_t)raw[2] << 16) |
                 ((uint32_t)raw[3] << 24);
    out->score = (int16_t)(uint16_t)(raw[4] | ((unsigned)raw[5] << 8));
    out->depth = raw[6];
}

/* Moves and effects are bytes only: they lie alike everywhere. */

uint8_t engine_get_moves_from(uint8_t row, uint8_t col, engine_move_t *out, uint8_t max)
{
    return pk_get_moves_from(row, col, (P)out, max);
}

uint8_t engine_get_all_moves(engine_move_t *out, uint8_t max)
{
    return pk_get_all_moves((P)out, max);
}

void engine_get_move_effects_flat(uint8_t from_r, uint8_t from_c, uint8_t to_r, uint8_t to_c,
                                  uint8_t flags, engine_move_effects_t *fx)
{
    pk_get_move_effects(from_r, from_c, to_r, to_c, flags, (P)fx);
}

void engine_think_flat(uint8_t max_depth, uint32_t max_time_ms, engine_move_t *out)
{
    pk_think(max_depth, max_time_ms, (P)out);
}

#ifndef ENGINE_NO_STRUCTURES_BY_VALUE

uint8_t engine_is_legal_move(engine_move_t m)
{
    return engine_is_legal_flat(m.from_row, m.from_col, m.to_row, m.to_col, m.flags);
}

uint8_t engine_make_move(engine_move_t m)
{
    return engine_make_move_flat(m.from_row, m.from_col, m.to_row, m.to_col, m.flags);
}

void engine_get_move_effects(engine_move_t m, engine_move_effects_t *fx)
{
    engine_get_move_effects_flat(m.from_row, m.from_col, m.to_row, m.to_col, m.flags, fx);
}

engine_move_t engine_think(uint8_t max_depth, uint32_t max_time_ms)
{
    engine_move_t best;
    engine_think_flat(max_depth, max_time_ms, &best);
    return best;
}

void engine_ponder_begin(engine_move_t m)
{
    engine_ponder_begin_flat(m.from_row, m.from_col, m.to_row, m.to_col, m.flags);
}

#endif
