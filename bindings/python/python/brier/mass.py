"""Many positions or games, on all cores of this machine or of a Ray cluster.

    python -m brier.mass positions.epd results --nodes 20000
    python -m brier.mass games.pgn results --nodes 20000 --workers 8
    python -m brier.mass games.pgn results --nodes 20000 --ray auto

The input is cut into shards of equal size. Each is analysed by one engine that starts without
memory, and becomes one file ``part-000012.jsonl`` in the output folder, which appears only when it
is whole. So the rows do not depend on who worked on them, a run that was interrupted goes on where it
ended, and a worker that dies costs one shard's work.

Each row is a position: its number and, in games, the number of the game and the ply; FEN, best
move, score, the five quantiles, depth, nodes. A position that cannot be read gives a row with
``error``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple

import brier

#: A shard that ends its worker this often is given up.
TRIES = 3
SETTINGS = "settings.json"


@dataclass(frozen=True)
class Work:
    """What is done with each position, and how the input is cut."""

    nodes: int
    shard: int = 64
    hash: int = 16
    options: Dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ["nodes", "shard", "hash"]:
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: expected 1 or more, got {getattr(self, name)}")


Shard = Tuple[int, List[Tuple[int, str]]]


def items(path: Path) -> Iterator[str]:
    """The games of a PGN file as texts, or the lines of any other file."""
    with open(path, encoding="utf-8", errors="replace") as file:
        if path.suffix.lower() != ".pgn":
            yield from (line.strip() for line in file if line.strip())
            return
        game: List[str] = []
        in_moves = False
        for line in file:
            if line.startswith("[") and in_moves:
                yield "".join(game)
                game, in_moves = [], False
            in_moves = in_moves or (bool(line.strip()) and not line.startswith("["))
            game.append(line)
        if in_moves:
            yield "".join(game)


def shards(path: Path, size: int) -> Iterator[Shard]:
    """The items with their numbers, a shard at a time."""
    held: List[Tuple[int, str]] = []
    number = 0
    for index, item in enumerate(items(path)):
        held.append((index, item))
        if len(held) == size:
            yield number, held
            number, held = number + 1, []
    if held:
        yield number, held


def rows(work: Work, held: List[Tuple[int, str]], is_pgn: bool) -> Iterator[Dict[str, Any]]:
    """One row for each position of a shard, by an engine without a past."""
    engine = brier.Engine(threads=1, hash=work.hash, **work.options)
    for index, item in held:
        for place, position in positions(index, item, is_pgn):
            yield {**place, **judged(engine, position, work.nodes)}


def positions(index: int, item: str, is_pgn: bool) -> Iterator[Tuple[Dict[str, int], Any]]:
    """The positions of an item, with what says where they are."""
    if not is_pgn:
        # An EPD has four fields before its operations; a FEN has numbers as the fifth.
        fields = item.split()
        is_fen = len(fields) >= 6 and fields[4].isdigit()
        yield {"position": index}, item if is_fen or len(fields) < 4 else " ".join(fields[:4] + ["0", "1"])
        return
    import io

    import chess.pgn

    game = chess.pgn.read_game(io.StringIO(item))
    board = game.board() if game else None
    if game is None or game.errors:
        reason = game.errors[0] if game else "no moves"
        yield {"game": index}, ValueError(f"expected a game in PGN, got one with: {reason}")
        return
    for ply, move in enumerate(game.mainline_moves()):
        yield {"game": index, "ply": ply}, board
        board.push(move)


def judged(engine: brier.Engine, position: Any, nodes: int) -> Dict[str, Any]:
    """What the engine says of a position."""
    try:
        if isinstance(position, ValueError):
            raise position
        answer = engine.analyse(position, nodes=nodes)
    except ValueError as error:
        return {"error": str(error)}
    row: Dict[str, Any] = {
        "fen": position if isinstance(position, str) else position.fen(),
        "best": answer.best,
        "nodes": answer.nodes,
    }
    for line in answer.lines:
        row.update(score=line.score, quantiles=line.quantiles, points=line.points, depth=line.depth)
    return row


def text_of(work: Work, held: List[Tuple[int, str]], is_pgn: bool) -> str:
    """A shard's file. This runs in a worker."""
    return "".join(json.dumps(row) + "\n" for row in rows(work, held, is_pgn))


def part(out: Path, number: int) -> Path:
    return out / f"part-{number:06}.jsonl"


def save(path: Path, text: str) -> None:
    """The file is there whole or not at all."""
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(text, encoding="utf-8")
    os.replace(unfinished, path)


def prepare(source: Path, out: Path, work: Work) -> None:
    """Makes the folder, or sees that what is there was made from the same input and settings."""
    out.mkdir(parents=True, exist_ok=True)
    settings = {"source": source.name, "bytes": source.stat().st_size, **asdict(work)}
    wanted = json.dumps({**settings, "version": brier.__version__}, sort_keys=True)
    path = out / SETTINGS
    if not path.exists():
        save(path, wanted)
    elif path.read_text(encoding="utf-8") != wanted:
        raise ValueError(f"{out} has results of other settings: {path.read_text(encoding='utf-8')}")


def analyse(
    source: Path, out: Path, work: Work, *, workers: Optional[int] = None, ray: Optional[str] = None
) -> int:
    """Analyses what is not done yet; returns how many shards that was."""
    source, out = Path(source), Path(out)
    prepare(source, out, work)
    is_pgn = source.suffix.lower() == ".pgn"
    left = (s for s in shards(source, work.shard) if not part(out, s[0]).exists())
    if ray is not None:
        from brier import ray as cluster

        done = cluster.run(work, left, is_pgn, address=ray, workers=workers)
    else:
        done = run(work, left, is_pgn, workers or os.cpu_count() or 1)
    count = 0
    for count, (number, text) in enumerate(done, 1):
        save(part(out, number), text)
    return count


def run(
    work: Work, left: Iterable[Shard], is_pgn: bool, workers: int
) -> Iterator[Tuple[int, str]]:
    """Shards done by processes of this machine, as they are ready."""
    if workers < 1:
        raise ValueError(f"workers: expected 1 or more, got {workers}")
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
                        future = pool.submit(text_of, work, shard[1], is_pgn)
                    except BrokenProcessPool:
                        again.append((tries, shard))
                        raise
                    running[future] = tries, shard
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    text = future.result()
                    yield running.pop(future)[1][0], text
        except BrokenProcessPool:
            # Nobody can say whose shard it was, so all that ran count a try.
            again += [(tries + 1, shard) for tries, shard in running.values()]
            for tries, shard in again:
                if tries >= TRIES:
                    raise RuntimeError(f"shard {shard[0]} ended its worker {TRIES} times") from None
        finally:
            pool.shutdown(cancel_futures=True)


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m brier.mass", description="Analyse many positions or games."
    )
    parser.add_argument("source", type=Path, help="a PGN file, or one FEN or EPD on each line")
    parser.add_argument("out", type=Path, help="the folder for the results")
    parser.add_argument("--nodes", type=int, required=True, help="nodes for each position")
    parser.add_argument("--shard", type=int, default=64, help="games or positions in a file")
    parser.add_argument("--hash", type=int, default=16, help="megabytes for each worker")
    parser.add_argument("--workers", type=int, help="processes; all cores if not given")
    parser.add_argument("--ray", metavar="ADDRESS", help="a Ray cluster, or `auto`")
    given = parser.parse_args(arguments)
    try:
        work = Work(nodes=given.nodes, shard=given.shard, hash=given.hash)
        count = analyse(given.source, given.out, work, workers=given.workers, ray=given.ray)
    except (OSError, ValueError, RuntimeError) as error:
        print(f"brier.mass: {error}", file=sys.stderr)
        return 1
    print(f"{count} shards done, results in {given.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
