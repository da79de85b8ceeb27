"""The same command many times with another number, on all cores of this machine or of a Ray cluster.

    python -m brier.commands 100 games vf -- \\
        brier-lab datagen --threads 1 --games 1000 --seed {n} --output {out}

runs 100 commands with ``{n}`` from 0 to 99 and collects the file that each of them wrote to ``{out}`` as
``games/part-000000.vf`` and so on. ``{from}`` is the number times ``--step``, for commands that take a range. A command that was
interrupted, or whose machine was lost, starts again from nothing, so its file is that of one run.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import List, Optional

from brier import _shards


@dataclass(frozen=True)
class Command:
    """A program and its arguments, with places for numbers and the file to write."""

    words: List[str]
    step: int = 1

    def __post_init__(self) -> None:
        if not any("{out}" in word for word in self.words):
            raise ValueError(f"expected a command with {{out}}, got {' '.join(self.words)!r}")

    def filled(self, number: int, out: Path) -> List[str]:
        places = {"{n}": number, "{from}": number * self.step, "{out}": out}
        words = self.words
        for place, value in places.items():
            words = [word.replace(place, str(value)) for word in words]
        return words


def run(command: Command, number: int) -> bytes:
    """The file that one command writes. This runs in a worker."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        words = command.filled(number, out)
        done = subprocess.run(words, capture_output=True, text=True, errors="replace")
        if done.returncode != 0:
            said = done.stderr.strip().splitlines()[-1:] or ["nothing"]
            raise RuntimeError(f"`{' '.join(words)}` ended with {done.returncode}: {said[0]}")
        if not out.is_file():
            raise RuntimeError(f"expected `{' '.join(words)}` to write {{out}}, got no file")
        return out.read_bytes()


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m brier.commands", description="Run a command many times, with numbers."
    )
    parser.add_argument("count", type=int, help="how many times")
    parser.add_argument("out", help="the folder for the files")
    parser.add_argument("ending", help="what the files' names end with, such as vf")
    parser.add_argument("--step", type=int, default=1, help="{from} is the number times this")
    parser.add_argument("command", nargs="+", help="after --, with {n}, {from} and {out}")

    def do(given: argparse.Namespace) -> str:
        command = Command(given.command, given.step)
        out = _shards.Folder(given.out, given.ending)
        out.prepare(asdict(command))
        shards = ((n, n) for n in range(given.count))
        task = partial(run, command)
        count = _shards.work(task, shards, out, workers=given.workers, ray=given.ray)
        return f"{count} commands done, files in {given.out}"

    return _shards.command_line(parser, arguments, do)


if __name__ == "__main__":
    sys.exit(main())
