"""training/search/moves.py with two small programs in the place of engines."""

import argparse
import importlib.util
import os
import pathlib
import sys

import pytest

SCRIPT = pathlib.Path(__file__).parents[3] / "training" / "search" / "moves.py"

# Plays e2e4 if `good` is raised and d2d4 if not, whatever `idle` is; as a judge it likes e2e4 better.
ENGINE = """#!{python}
import sys
good = 50
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("option name good type spin default 50 min 0 max 100")
        print("option name idle type spin default 50 min 0 max 100")
        print("option name clock_share type spin default 50 min 0 max 100")
        print("uciok", flush=True)
    elif words[:3] == ["setoption", "name", "good"]:
        good = int(words[4])
    elif words[0] == "go":
        move = words[-1] if "searchmoves" in words else "e2e4" if good > 50 else "d2d4"
        print("info depth 1 score cp 0 wdl", "300 600 100" if move == "e2e4" else "200 600 200")
        print("bestmove", move, flush=True)
"""


@pytest.fixture
def moves():
    spec = importlib.util.spec_from_file_location("moves", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def arguments(tmp_path):
    engine = tmp_path / "engine"
    engine.write_text(ENGINE.format(python=sys.executable))
    os.chmod(engine, 0o755)
    fens = tmp_path / "positions.fen"
    fens.write_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n" * 40)
    return argparse.Namespace(
        engine=str(engine), other=str(engine), judge=str(engine), positions=str(fens), first=0, count=20, nodes=10,
        judge_nodes=10, numbers="*", spread=20, seed=1, out=str(tmp_path / "run"), option=[("good", 60)], other_option=[],
    )


def test_a_screen_finds_the_number_that_matters(moves, arguments, capsys):
    moves.screen(arguments)
    table = capsys.readouterr().out.splitlines()
    assert "20 positions" in table[-3]
    # Raised against lowered is a tenth of a point; the number without a use gets what chance leaves, the clock's is not asked for.
    assert table[-2].startswith("good") and "60 for 40" in table[-2] and "+100.00" in table[-2]
    assert table[-1].startswith("idle")


def test_a_screen_goes_on_where_it_was_and_refuses_another_run(moves, arguments, capsys):
    whole = arguments.out + "-whole"
    moves.screen(arguments)
    arguments.count = 40
    moves.screen(arguments)
    moves.screen(argparse.Namespace(**{**vars(arguments), "out": whole}))
    assert pathlib.Path(arguments.out).read_text() == pathlib.Path(whole).read_text()
    arguments.nodes = 11
    with pytest.raises(SystemExit, match="another run"):
        moves.screen(arguments)


def test_two_settings_are_compared(moves, arguments, capsys):
    moves.compare(arguments)
    assert "20 positions, 20 with other moves: +100.00 ± 0.00" in capsys.readouterr().out
