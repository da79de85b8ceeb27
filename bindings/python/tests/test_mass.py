"""Mass analysis: the same rows however the work is shared out, and nothing is lost."""

import gzip
import json
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

import chess
import chess.pgn
import pytest
from pyarrow import parquet

import brier
from brier import _shards, mass
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
    (out / "part-000003.jsonl").unlink()
    (out / "part-000005.unfinished").write_text("half a row")
    (out / "part-000005.jsonl").unlink()
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
    with pytest.raises(ValueError, match="format: expected one of jsonl, parquet, got 'csv'"):
        mass.Work(nodes=1, format="csv")
    with pytest.raises(ValueError, match="workers: expected 1 or more, got 0"):
        mass.analyse(positions, out, WORK, workers=0)


def die_once(work, held):
    """A worker that is killed the first time it meets the third shard."""
    mark = os.environ["BRIER_TEST_MARK"]
    if held[0][0] == 8 and not os.path.exists(mark):
        open(mark, "w").close()
        os._exit(9)
    return original(work, held)


original = mass.part


def test_a_worker_that_dies_loses_nothing(positions, tmp_path, monkeypatch):
    mass.analyse(positions, tmp_path / "whole", WORK, workers=1)
    mark = tmp_path / "died"
    monkeypatch.setenv("BRIER_TEST_MARK", str(mark))
    monkeypatch.setattr(mass, "part", die_once)
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
    monkeypatch.setattr(_shards, "ProcessPoolExecutor", BreaksOnce)
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


def test_parquet_has_the_rows_of_json_lines(positions, tmp_path):
    mass.analyse(positions, tmp_path / "json", WORK, workers=1)
    mass.analyse(positions, tmp_path / "parquet", replace(WORK, format="parquet"), workers=2)
    parts = sorted((tmp_path / "parquet").glob("part-*.parquet"))
    assert len(parts) == 8
    found = [row for part in parts for row in parquet.read_table(part).to_pylist()]
    assert [{k: v for k, v in row.items() if v is not None} for row in found] == results(tmp_path / "json")


def test_a_folder_packed_files_and_addresses_are_read(positions, tmp_path):
    whole = mass.Source(positions)
    folder = tmp_path / "folder"
    folder.mkdir()
    texts = positions.read_text().splitlines(keepends=True)
    (folder / "a.epd").write_text("".join(texts[:13]))
    (folder / "b.epd.gz").write_bytes(gzip.compress("".join(texts[13:]).encode()))
    (folder / "notes.md").write_text("not a position")
    for place in [folder, folder.as_uri(), positions.as_uri()]:
        assert list(mass.Source(place).items()) == list(whole.items())
    out = tmp_path / "out"
    assert mass.analyse(folder.as_uri(), out.as_uri(), WORK, workers=1) == 8
    (out / "part-000002.jsonl").unlink()
    assert mass.analyse(folder, out.as_uri(), WORK, workers=1) == 1
    mass.analyse(positions, tmp_path / "whole", WORK, workers=1)
    assert results(out) == results(tmp_path / "whole")
    with pytest.raises(ValueError, match="expected files that end with"):
        mass.Source(out)
    with pytest.raises(OSError, match="none"):
        mass.Source((tmp_path / "none").as_uri())
