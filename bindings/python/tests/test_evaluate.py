"""Many positions at once."""

import random

import chess
import numpy
import pytest

import brier


def games(seed, count):
    """FENs of random games."""
    source, fens = random.Random(seed), []
    board = chess.Board()
    while len(fens) < count:
        fens.append(board.fen())
        moves = list(board.legal_moves)
        if not moves or board.ply() > 120:
            board = chess.Board()
        else:
            board.push(source.choice(moves))
    return fens


def test_rows_are_those_of_the_engine_and_do_not_depend_on_threads():
    fens = games(1, 1500)
    rows = brier.evaluate(fens, threads=1)
    assert rows.shape == (1500, 5) and rows.dtype == numpy.int32
    assert (numpy.diff(rows, axis=1) >= 0).all()
    for threads in [2, 3, 5]:
        assert (brier.evaluate(fens, threads=threads) == rows).all()
    engine = brier.Engine()
    for fen, row in list(zip(fens, rows))[::50]:
        assert engine.evaluate(fen) == tuple(row)


def test_boards_and_fens_are_the_same():
    board = chess.Board()
    board.push_san("e4")
    both = brier.evaluate([board, board.fen()])
    assert (both[0] == both[1]).all()


def test_a_mirrored_position_is_worth_the_same():
    boards = [chess.Board(fen) for fen in games(2, 200)]
    mirrored = brier.evaluate([board.mirror() for board in boards])
    assert (brier.evaluate(boards) == mirrored).all()


def test_no_positions_give_no_rows():
    assert brier.evaluate([]).shape == (0, 5)


def test_a_bad_position_is_named():
    fens = games(3, 700)
    fens[600] = "8/8/8 w"
    with pytest.raises(ValueError, match="position 600: expected a FEN, got \"8/8/8 w\""):
        brier.evaluate(fens, threads=2)
    with pytest.raises(ValueError, match="expected a list"):
        brier.evaluate("startpos")
    with pytest.raises(ValueError, match="threads: expected 1 or more, got 0"):
        brier.evaluate(fens, threads=0)
    with pytest.raises(ValueError, match="no/such/file"):
        brier.evaluate(fens, eval_file="no/such/file")
