"""Many positions or games, on all cores of this machine or of a Ray cluster.

    python -m brier.mass positions.epd results --nodes 20000
    python -m brier.mass games.pgn results --nodes 20000 --workers 8
    python -m brier.mass games.pgn results --nodes 20000 --ray auto

The input is cut into shards of equal size. Each is analysed by one engine that starts without
memory, and becomes one file ``part-000012.jsonl`` in the output folder (see :mod:`brier._shards`). So the
rows do not depend on who worked on them.

Each row is a position: its number and, in games, the number of the game and the ply; FEN, best
move, score, the five quantiles, depth, nodes. A position that cannot be read gives a row with
``error``.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Optional, TextIO, Tuple

import brier
from brier import _shards

#: What an input's name ends with, besides the ending of a packed file.
ENDINGS = (".pgn", ".epd", ".fen", ".txt")
PACKED = (".gz", ".bz2", ".zst")
FORMATS = ("jsonl", "parquet")


@dataclass(frozen=True)
class Work:
    """What is done with each position, and how the input is cut."""

    nodes: int
    shard: int = 64
    hash: int = 16
    format: str = "jsonl"
    options: Dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ["nodes", "shard", "hash"]:
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: expected 1 or more, got {getattr(self, name)}")
        if self.format not in FORMATS:
            raise ValueError(f"format: expected one of {', '.join(FORMATS)}, got {self.format!r}")


#: The number of a game or position, whether it is a game, and its text.
Item = Tuple[int, bool, str]


class Source:
    """A file, a folder of files, or the address of either that pyarrow knows (``s3://bucket/games``)."""

    def __init__(self, place: Any) -> None:
        self.remote = None
        if "://" in str(place):
            self.remote, place = _shards.filesystem(str(place))
        self.files = sorted(self._files(str(place)))
        if not self.files:
            raise ValueError(f"{place}: expected files that end with {', '.join(ENDINGS)}, got none")

    def _files(self, place: str) -> Iterator[Tuple[str, int]]:
        """Names and sizes. A file may be called as it likes, those in a folder are chosen."""
        if self.remote is None:
            path = Path(place)
            place = str(path)
            paths = path.iterdir() if path.is_dir() else [path]
            found = [(str(p), p.stat().st_size) for p in paths if p == path or p.is_file()]
        else:
            from pyarrow import fs

            info = self.remote.get_file_info(place)
            if info.type == fs.FileType.NotFound:
                raise FileNotFoundError(f"{place}: no such file or folder")
            infos = [info]
            if info.type == fs.FileType.Directory:
                infos = self.remote.get_file_info(fs.FileSelector(place))
            found = [(i.path, i.size) for i in infos if i.type == fs.FileType.File]
        return ((name, size) for name, size in found if name == place or kind(name) in ENDINGS)

    def open(self, name: str) -> TextIO:
        if self.remote is None and not name.lower().endswith(PACKED):
            return open(name, encoding="utf-8", errors="replace")
        from pyarrow import fs

        # It unpacks what a name's ending says is packed.
        stream = (self.remote or fs.LocalFileSystem()).open_input_stream(name)
        return io.TextIOWrapper(stream, encoding="utf-8", errors="replace")

    def items(self) -> Iterator[Item]:
        index = 0
        for name, _ in self.files:
            is_pgn = kind(name) == ".pgn"
            with self.open(name) as file:
                for text in games(file) if is_pgn else lines(file):
                    yield index, is_pgn, text
                    index += 1

    def shards(self, size: int) -> Iterator[_shards.Shard]:
        held: List[Item] = []
        number = 0
        for item in self.items():
            held.append(item)
            if len(held) == size:
                yield number, held
                number, held = number + 1, []
        if held:
            yield number, held


def kind(name: str) -> str:
    """The ending of a name, without that of a packed file."""
    path = Path(name.lower())
    return Path(path.stem).suffix if path.suffix in PACKED else path.suffix


def lines(file: TextIO) -> Iterator[str]:
    return (line.strip() for line in file if line.strip())


def games(file: TextIO) -> Iterator[str]:
    """The games of a PGN file as texts."""
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


def rows(work: Work, held: List[Item]) -> Iterator[Dict[str, Any]]:
    """One row for each position of a shard, by an engine without a past."""
    engine = brier.Engine(threads=1, hash=work.hash, **work.options)
    for index, is_pgn, text in held:
        for place, position in positions(index, is_pgn, text):
            yield {**place, **judged(engine, position, work.nodes)}


def positions(index: int, is_pgn: bool, text: str) -> Iterator[Tuple[Dict[str, int], Any]]:
    """The positions of an item, with what says where they are."""
    if not is_pgn:
        # An EPD has four fields before its operations; a FEN has numbers as the fifth.
        fields = text.split()
        is_fen = len(fields) >= 6 and fields[4].isdigit()
        yield {"position": index}, text if is_fen or len(fields) < 4 else " ".join(fields[:4] + ["0", "1"])
        return
    import chess.pgn

    game = chess.pgn.read_game(io.StringIO(text))
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


def part(work: Work, held: List[Item]) -> bytes:
    """A shard's file. This runs in a worker."""
    found = rows(work, held)
    return parquet(found) if work.format == "parquet" else json_lines(found)


def json_lines(found: Iterable[Dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in found).encode()


def parquet(found: Iterable[Dict[str, Any]]) -> bytes:
    """The same columns in every file, whatever its rows have."""
    import pyarrow
    import pyarrow.parquet

    small, text = pyarrow.int32(), pyarrow.string()
    columns = {
        "position": pyarrow.int64(), "game": pyarrow.int64(), "ply": small, "fen": text,
        "best": text, "nodes": pyarrow.int64(), "score": small,
        "quantiles": pyarrow.list_(small), "points": pyarrow.float64(), "depth": small,
        "error": text,
    }  # fmt: skip
    table = pyarrow.Table.from_pylist(list(found), schema=pyarrow.schema(columns))
    out = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, out)
    return out.getvalue().to_pybytes()


def analyse(
    source: Any, out: Any, work: Work, *, workers: Optional[int] = None, ray: Optional[str] = None
) -> int:
    """Analyses what is not done yet; returns how many shards that was."""
    source, out = Source(source), _shards.Folder(out, work.format)
    files = [[Path(name).name, size] for name, size in source.files]
    out.prepare({"files": files, **asdict(work), "version": brier.__version__})
    shards = source.shards(work.shard)
    return _shards.work(partial(part, work), shards, out, workers=workers, ray=ray)


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m brier.mass", description="Analyse many positions or games."
    )
    parser.add_argument("source", help="a PGN file, one with a FEN or EPD on each line, or a folder")
    parser.add_argument("out", help="the folder for the results")
    parser.add_argument("--nodes", type=int, required=True, help="nodes for each position")
    parser.add_argument("--shard", type=int, default=64, help="games or positions in a file")
    parser.add_argument("--hash", type=int, default=16, help="megabytes for each worker")
    parser.add_argument("--format", default="jsonl", choices=FORMATS, help="of the results")

    def do(given: argparse.Namespace) -> str:
        work = Work(given.nodes, given.shard, given.hash, given.format)
        count = analyse(given.source, given.out, work, workers=given.workers, ray=given.ray)
        return f"{count} shards done, results in {given.out}"

    return _shards.command_line(parser, arguments, do)


if __name__ == "__main__":
    sys.exit(main())
