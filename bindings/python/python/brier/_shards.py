"""Numbered pieces of work, done by the processes of this machine or by a Ray cluster.

A task is a function from what a shard holds to the bytes of its file. Each shard's file appears in the
output folder only when it is whole, so a run that was interrupted goes on where it ended, and a worker that
dies costs the work of one shard.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple

#: A shard that ends its worker this often is given up.
TRIES = 3
SETTINGS = "settings.json"
#: Seconds between two lines of progress.
PROGRESS = 10

Task = Callable[[Any], bytes]
Shard = Tuple[int, Any]


class Folder:
    """Where the parts go: a folder, or the address of one that pyarrow knows (``s3://bucket/results``)."""

    def __init__(self, place: Any, ending: str) -> None:
        self.ending = ending
        self.remote = None
        if "://" in str(place):
            self.remote, place = filesystem(str(place))
        self.path = Path(place)

    def part(self, number: int) -> str:
        return f"part-{number:06}.{self.ending}"

    def names(self) -> set:
        """The files that are there."""
        if self.remote is None:
            self.path.mkdir(parents=True, exist_ok=True)
            return set(os.listdir(self.path))
        from pyarrow import fs

        self.remote.create_dir(self.path.as_posix(), recursive=True)
        found = self.remote.get_file_info(fs.FileSelector(self.path.as_posix()))
        return {info.base_name for info in found}

    def read(self, name: str) -> bytes:
        if self.remote is None:
            return (self.path / name).read_bytes()
        with self.remote.open_input_stream((self.path / name).as_posix()) as file:
            return file.read()

    def save(self, name: str, data: bytes) -> None:
        """The file is there whole or not at all."""
        unfinished = (self.path / name).with_suffix(".unfinished")
        if self.remote is None:
            unfinished.write_bytes(data)
            os.replace(unfinished, self.path / name)
            return
        with self.remote.open_output_stream(unfinished.as_posix()) as file:
            file.write(data)
        self.remote.move(unfinished.as_posix(), (self.path / name).as_posix())

    def prepare(self, settings: Dict[str, Any]) -> None:
        """Sees that what is there was made from the same input and settings."""
        wanted = json.dumps(settings, sort_keys=True).encode()
        if SETTINGS not in self.names():
            self.save(SETTINGS, wanted)
        elif (found := self.read(SETTINGS)) != wanted:
            raise ValueError(f"{self.path} has results of other settings: {found.decode()}")


def filesystem(address: str) -> Tuple[Any, str]:
    """What pyarrow opens an address with, and the path in it."""
    try:
        from pyarrow import fs
    except ImportError as error:
        raise RuntimeError(f"{address}: expected pyarrow (pip install pyarrow), got: {error}") from None
    return fs.FileSystem.from_uri(address)


def work(
    task: Task,
    shards: Iterable[Shard],
    out: Folder,
    *,
    workers: Optional[int] = None,
    ray: Optional[str] = None,
) -> int:
    """Does the shards that have no file yet; returns how many that were."""
    if workers is not None and workers < 1:
        raise ValueError(f"workers: expected 1 or more, got {workers}")
    there = out.names()
    left = (shard for shard in shards if out.part(shard[0]) not in there)
    if ray is not None:
        from brier import ray as cluster

        done = cluster.run(task, left, address=ray, workers=workers)
    else:
        done = local(task, left, workers or os.cpu_count() or 1)
    count, begin = 0, time.monotonic()
    shown = begin
    for count, (number, data) in enumerate(done, 1):
        out.save(out.part(number), data)
        now = time.monotonic()
        if now - shown > PROGRESS:
            print(f"{count} shards in {now - begin:.0f} s", file=sys.stderr)
            shown = now
    return count


def local(task: Task, left: Iterable[Shard], workers: int) -> Iterator[Tuple[int, bytes]]:
    """Shards done by processes of this machine, as they are ready."""
    left = iter(left)
    again: List[Tuple[int, Shard]] = []
    while True:
        running: Dict[Any, Tuple[int, Shard]] = {}
        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
        try:
            while True:
                # Twice as many as workers wait their turn, so that memory stays bounded.
                while len(running) < 2 * workers:
                    tries, shard = again.pop() if again else (0, next(left, None))
                    if shard is None:
                        break
                    try:
                        future = pool.submit(task, shard[1])
                    except BrokenProcessPool:
                        again.append((tries, shard))
                        raise
                    running[future] = tries, shard
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    data = future.result()
                    yield running.pop(future)[1][0], data
        except BrokenProcessPool:
            # Nobody can say whose shard it was, so all that ran count a try.
            again += [(tries + 1, shard) for tries, shard in running.values()]
            for tries, shard in again:
                if tries >= TRIES:
                    raise RuntimeError(f"shard {shard[0]} ended its worker {TRIES} times") from None
        finally:
            pool.shutdown(cancel_futures=True)


def command_line(
    parser: argparse.ArgumentParser,
    arguments: Optional[List[str]],
    do: Callable[[argparse.Namespace], str],
) -> int:
    """Runs a command whose work is done in shards; ``do`` gets the options and returns what to say at the end."""
    parser.add_argument("--workers", type=int, help="processes; all cores if not given")
    parser.add_argument("--ray", metavar="ADDRESS", help="a Ray cluster, or `auto`")
    given = parser.parse_args(arguments)
    try:
        print(do(given))
    except (OSError, ValueError, RuntimeError) as error:
        print(f"{parser.prog.split()[-1]}: {error}", file=sys.stderr)
        return 1
    return 0
