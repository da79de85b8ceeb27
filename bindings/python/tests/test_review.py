"""Reviews against the program of the same source and against python-chess."""

import _thread
import io
import json
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import chess
import chess.pgn
import pandas
import pytest

import brier

OPERA = Path(__file__).resolve().parents[3] / "testdata/games/opera.pgn"
SHORT = '[White "Fool"]\n[Black "Mate"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'
BROKEN = '[White "Broken"]\n\n1. e4 e5 2. Ke5 *\n'
UNREAD = '[White "Unread"]\n\n1. Qh8 *\n'


def test_a_review_is_that_of_the_program(program):
    command = ["analyze", str(OPERA), "--nodes", "500", "--hash", "4", "--format", "jsonl"]
    done = subprocess.run([program, *command], capture_output=True, text=True, check=True)
    games = [json.loads(line) for line in done.stdout.splitlines()]
    expected = next(record for record in games if record["kind"] == "game")
    review = brier.review(OPERA.read_text(), nodes=500, hash=4)
    (game,) = review.games
    assert (game.tags, game.opening) == (expected["tags"], expected["opening"])
    for ours, theirs in zip(game.moves, expected["moves"], strict=True):
        assert vars(ours) == theirs


def test_moves_are_those_of_the_game():
    game = chess.pgn.read_game(io.StringIO(OPERA.read_text()))
    review = brier.review(game, nodes=200, hash=1)
    moves = [move.uci() for move in game.mainline_moves()]
    assert [move.uci for move in review.moves] == moves
    assert len(review.marks) == len(review.losses) == len(moves)
    assert set(review.marks) <= set(brier.MARKS)
    assert (review.losses >= 0).all() and review.losses.max() <= 1
    for move in review.moves:
        assert move.point_quantiles == sorted(move.point_quantiles)
    assert review.moves[-1].mate == 0 and review.moves[-1].points == 1


def test_what_is_said_does_not_depend_on_the_workers():
    text = SHORT + "\n" + BROKEN + "\n" + UNREAD + "\n" + SHORT
    one, three = (brier.review(text, nodes=300, hash=1, workers=count) for count in (1, 3))
    assert [vars(move) for move in one.moves] == [vars(move) for move in three.moves]
    assert [game.tags["White"] for game in one.games] == ["Fool", "Broken", "Unread", "Fool"]
    assert [len(game.moves) for game in one.games] == [4, 2, 0, 4]
    assert "Ke5" in one.games[1].faults[0] and "Qh8" in one.games[2].faults[0]
    first, last = one.games[0], one.games[3]
    assert [vars(move) for move in first.moves] == [vars(move) for move in last.moves]
    assert first.marks[2] == "blunder" and first.losses[2] >= 0.2
    assert 0 < first.moves[2].found < 1 and first.moves[2].rating == 1500


def test_a_row_for_each_move():
    review = brier.review(SHORT, nodes=300, hash=1)
    table = review.to_pandas()
    assert isinstance(table, pandas.DataFrame) and len(table) == 4
    assert list(table["san"]) == ["f3", "e5", "g4", "Qh4#"]
    assert list(table["loss"]) == list(review.losses)
    assert list(table["white"].unique()) == ["Fool"]
    assert table["mate"].iloc[-1] == 0 and table["q50"].isna().iloc[-1]


def test_the_page_and_the_annotated_game(tmp_path):
    review = brier.review(SHORT, nodes=300, hash=1)
    page = review.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page
    assert page.startswith("<!DOCTYPE html>") and "Qh4#" in page
    assert not re.search(r"(src|href)=.?https?:", page)
    game = chess.pgn.read_game(io.StringIO(review.to_pgn()))
    assert not game.errors and game.headers["White"] == "Fool"
    third = list(game.mainline())[2]
    assert chess.pgn.NAG_BLUNDER in third.nags and third.eval() is not None


def test_ctrl_c_ends_a_review():
    # Programs that a shell starts in the background ignore it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.5, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        brier.review(OPERA.read_text() * 50, nodes=20_000)


def test_nonsense_is_a_value_error():
    for wrong, said in [
        (lambda: brier.review("no game at all", nodes=5), "expected games in PGN, got none"),
        (lambda: brier.review(5, nodes=5), "expected games as a PGN text"),
        (lambda: brier.review(SHORT), "expected a limit"),
        (lambda: brier.review(SHORT, nodes=0), "nodes: expected a number above 0"),
        (lambda: brier.review(SHORT, nodes=5, workers=0), "workers: expected 1 or more, got 0"),
        (lambda: brier.review(SHORT, nodes=5, hash=0), "Hash: expected 1 to"),
        (lambda: brier.review(SHORT, nodes=5, NoSuchOption=1), "NoSuchOption"),
    ]:
        with pytest.raises(ValueError, match=re.escape(said)):
            wrong()


def test_pandas_is_asked_for_by_name(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(RuntimeError, match="expected pandas"):
        brier.review(SHORT, nodes=50, hash=1).to_pandas()
