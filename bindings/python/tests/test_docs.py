"""What the pages for Python users show is run, and so is the example for bots."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import chess
import chess.engine
import matplotlib
import pytest
import yaml

from test_evaluate import games

ROOT = Path(__file__).resolve().parents[3]


def examples():
    return re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.S)


def test_there_are_examples():
    assert len(examples()) == 3


@pytest.mark.parametrize("code", examples())
def test_the_examples_of_the_page_run(code):
    exec(compile(code, "docs/python.md", "exec"), {})


def test_the_notebook_runs():
    matplotlib.use("Agg")
    notebook = json.loads((ROOT / "bindings/python/examples/doubt.ipynb").read_text())
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    pictures = [out for cell in cells for out in cell["outputs"] if "image/png" in out.get("data", {})]
    assert len(pictures) == 3
    names = {}
    for cell in cells:
        # The same with fewer nodes: the pictures are worse then.
        code = re.sub(r"(\d+)_000\b", r"\1", "".join(cell["source"]))
        exec(compile(code, "doubt.ipynb", "exec"), names)
    assert names["quantiles"].shape == (len(names["names"]), 5)


def test_the_local_commands_of_the_cluster_page_run(tmp_path):
    (tmp_path / "positions.epd").write_text("\n".join(games(4, 5)))
    (tmp_path / "games.pgn").write_text('[Event "a"]\n\n1. e4 e5 *\n')
    page = (ROOT / "docs/cluster.md").read_text()
    commands = [line.split() for line in re.findall(r"^    python (-m brier.mass .*)$", page, re.M)]
    local = [command for command in commands if "--ray" not in command]
    assert len(local) == 3
    for command in local:
        subprocess.run([sys.executable, *command], cwd=tmp_path, check=True)
        (part,) = (tmp_path / command[3]).glob("part-*")
        assert part.stat().st_size > 0


def test_the_numbered_commands_of_the_cluster_page_run(tmp_path):
    """With fewer games and positions; the workshop is built for full runs only."""
    lab = os.environ.get("BRIER_LAB")
    if not lab:
        pytest.skip("brier-lab is built by `cargo xtask test --full`")
    (tmp_path / "positions.fen").write_text("\n".join(games(5, 4)))
    page = (ROOT / "docs/cluster.md").read_text()
    commands = re.findall(r"^    python (-m brier.commands .*)$", page, re.M)
    assert len(commands) == 2
    smaller = {"brier-lab": lab, "commands 100": "commands 2", "--games 1000": "--games 2",
               "--nodes 5000": "--nodes 100", "--step 100": "--step 2",
               "--count 100": "--count 2 --budgets 100"}  # fmt: skip
    for command in commands:
        for text, small in smaller.items():
            command = command.replace(text, small)
        command = command.split()
        subprocess.run([sys.executable, *command], cwd=tmp_path, check=True)
        parts = list((tmp_path / command[3]).glob("part-*"))
        assert len(parts) == 2 and all(part.stat().st_size > 0 for part in parts)


#: Where the commands of the pages are run; a command that is not here has no test.
RUN_BY = {
    "cargo xtask dist": "step `dist` of full runs",
    "cargo publish --workspace --dry-run": "step `publish` of full runs",
    "./brier-0.1.0-android-aarch64/brier serve": "step `dist` of full runs, under qemu",
    "pip install target/dist": "step `dist` of full runs, which installs the wheel by its name",
    "python bindings/python/compare/ray_overhead.py": "by hand: it is a measurement",
    "pip install ./bindings/python": "the build before these tests, which installs the same",
    "python -m brier.mass": "test_the_local_commands_of_the_cluster_page_run, test_ray.py",
    "python -m brier.commands": "test_the_numbered_commands_of_the_cluster_page_run, test_ray.py",
    "ray start": "test_ray.py starts the same nodes",
    "python packaging/lichess-bot-check.py": "by hand: it needs lichess-bot",
}


@pytest.mark.parametrize("page", ["install", "python", "cluster", "bots"])
def test_every_command_of_the_pages_is_run(page):
    text = re.sub(r"```.*?```", "", (ROOT / f"docs/{page}.md").read_text(), flags=re.S)
    commands = [line.split("  #")[0].strip() for line in re.findall(r"^    (\S.*)$", text, re.M)]
    assert commands
    known = [c for c in commands if any(c == k or c.startswith((k + " ", k + "/")) for k in RUN_BY)]
    assert known == commands


def test_the_engine_takes_the_options_of_the_bot(program):
    """lichess-bot drives engines by python-chess, and passes its options like this."""
    bot = yaml.safe_load((ROOT / "packaging/lichess-bot.yml").read_text())["engine"]
    assert bot["protocol"] == "uci"
    with chess.engine.SimpleEngine.popen_uci(program) as engine:
        engine.configure({name: value for name, value in bot["uci_options"].items()})
        engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1500})
        limit = chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.1, black_inc=0.1)
        board = chess.Board()
        for _ in range(6):
            done = engine.play(board, limit, ponder=bot["ponder"], info=chess.engine.INFO_ALL)
            assert "wdl" in done.info
            board.push(done.move)
