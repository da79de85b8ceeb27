"""Mass analysis: the same rows however the work is shared out, and nothing is lost."""

import json
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import chess
import chess.pgn
import pytest

import brier
from brier import mass
from test_evaluate import games

WORK = mass.Work(nodes=300, shard=4, hash=1)


def results(out):
    parts = sorted(out.glob("part-*.jsonl"))
    return [json.loads(line) for part in parts for line in part.read_text().splitlines()]


@pytest.fixture
def positions(tmp_path):
    path = tmp_path / "positions.epd"
    fens = games(7, 30)
    path.write_text("\n".join(fens[:10] + ["nonsense"] + fens[10:]))
    return path


def test_rows_do_not_depend_on_the_workers(positions, tmp_path):
    assert mass.analyse(positions, tmp_path / "one", WORK, workers=1) == 8
    assert mass.analyse(positions, tmp_path / "three", WORK, workers=3) == 8
    rows = results(tmp_path / "one")
    assert rows == results(tmp_path / "three")
    assert [row["position"] for row in rows] == list(range(31))
    assert [row["position"] for row in rows if "error" in row] == [10]
    assert "expected a FEN" in rows[10]["error"]


def test_a_run_goes_on_where_it_ended(positions, tmp_path):
    out = tmp_path / "out"
    mass.analyse(positions, out, WORK, workers=1)
    whole = results(out)
    mass.part(out, 3).unlink()
    (out / "part-000005.unfinished").write_text("half a row")
    mass.part(out, 5).unlink()
    assert mass.analyse(positions, out, WORK, workers=1) == 2
    assert results(out) == whole
    assert mass.analyse(positions, out, WORK, workers=1) == 0


def test_other_settings_are_refused(positions, tmp_path):
    out = tmp_path / "out"
    mass.analyse(positions, out, WORK, workers=1)
    with pytest.raises(ValueError, match="results of other settings"):
        mass.analyse(positions, out, mass.Work(nodes=301, shard=4, hash=1), workers=1)
    with pytest.raises(ValueError, match="nodes: expected 1 or more, got 0"):
        mass.Work(nodes=0)


def die_once(work, held, is_pgn):
    """A worker that is killed the first time it meets the third shard."""
    mark = os.environ["BRIER_TEST_MARK"]
    if held[0][0] == 8 and not os.path.exists(mark):
        open(mark, "w").close()
        os._exit(9)
    return original(work, held, is_pgn)


original = mass.text_of


def test_a_worker_that_dies_loses_nothing(positions, tmp_path, monkeypatch):
    mass.analyse(positions, tmp_path / "whole", WORK, workers=1)
    mark = tmp_path / "died"
    monkeypatch.setenv("BRIER_TEST_MARK", str(mark))
    monkeypatch.setattr(mass, "text_of", die_once)
    mass.analyse(positions, tmp_path / "out", WORK, workers=2)
    assert mark.exists()
    assert results(tmp_path / "out") == results(tmp_path / "whole")


class BreaksOnce(ProcessPoolExecutor):
    """A pool that turns out to be broken when it gets its third shard."""

    submitted = 0

    def submit(self, *arguments, **keywords):
        BreaksOnce.submitted += 1
        if BreaksOnce.submitted == 3:
            raise BrokenProcessPool("a worker has died")
        return super().submit(*arguments, **keywords)


def test_a_pool_that_breaks_while_it_is_filled_loses_nothing(positions, tmp_path, monkeypatch):
    mass.analyse(positions, tmp_path / "whole", WORK, workers=1)
    monkeypatch.setattr(mass, "ProcessPoolExecutor", BreaksOnce)
    mass.analyse(positions, tmp_path / "out", WORK, workers=2)
    assert BreaksOnce.submitted > 3
    assert results(tmp_path / "out") == results(tmp_path / "whole")


def test_games_give_a_row_for_each_move(tmp_path):
    path = tmp_path / "games.pgn"
    one = '[Event "a"]\n\n1. e4 e5 2. Nf3 *\n'
    bad = '[Event "b"]\n\n1. e4 Ke5 *\n'
    path.write_text(one + "\n" + bad + "\n" + one)
    mass.analyse(path, tmp_path / "out", WORK, workers=1)
    rows = results(tmp_path / "out")
    assert [(row["game"], row.get("ply")) for row in rows] == [
        (0, 0), (0, 1), (0, 2), (1, None), (2, 0), (2, 1), (2, 2),
    ]
    assert "expected a game in PGN" in rows[3]["error"]
    engine = brier.Engine(hash=1)
    assert rows[0]["best"] == engine.analyse(chess.Board(), nodes=300).best


def test_the_command_says_what_is_wrong(tmp_path, capsys):
    assert mass.main([str(tmp_path / "none.pgn"), str(tmp_path / "out"), "--nodes", "5"]) == 1
    assert "none.pgn" in capsys.readouterr().err
