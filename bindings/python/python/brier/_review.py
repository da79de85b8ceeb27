"""Whole games judged: what each move lost, what mark it deserves, and how sure that is."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Union

import numpy

from . import _brier
from ._options import limits, option

if TYPE_CHECKING:
    import chess.pgn
    import pandas

    Games = Union[str, bytes, "chess.pgn.Game"]

#: The marks of moves, from best to worst.
MARKS = ("fine", "unclear", "inaccuracy", "mistake", "blunder")


class ReviewedMove:
    """A move of a game, and what is thought of it.

    Points and scores are White's, except ``loss``, which is the mover's. ``cp`` and ``mate`` are the
    score after the move, one of them ``None``; ``best`` is the engine's line in its place, a
    dictionary with ``uci``, ``san``, ``confidence`` and the same numbers. For a marked move ``found``
    is how likely a player of ``rating`` (the mover's, or 1500) finds the engine's.
    """

    def __init__(self, record: Dict[str, Any]) -> None:
        self.ply: int = record["ply"]
        self.number: int = record["number"]
        self.side: str = record["side"]
        self.san: str = record["san"]
        self.uci: str = record["uci"]
        self.cp: Optional[int] = record["cp"]
        self.mate: Optional[int] = record["mate"]
        self.quantiles: Optional[List[int]] = record["quantiles"]
        self.points: float = record["points"]
        self.point_quantiles: List[float] = record["point_quantiles"]
        self.mark: str = record["mark"]
        self.sure: float = record["sure"]
        self.loss: float = record["loss"]
        self.found: Optional[float] = record["found"]
        self.rating: Optional[int] = record["rating"]
        self.book: bool = record["book"]
        self.phase: str = record["phase"]
        self.clock: Optional[float] = record["clock"]
        self.seconds: Optional[float] = record["seconds"]
        self.time_trouble: bool = record["time_trouble"]
        self.best: Dict[str, Any] = record["best"]

    def __repr__(self) -> str:
        return f"<brier.ReviewedMove {self.number}. {self.san} {self.mark} loss={self.loss}>"


class _Moves:
    """What is said of some moves together."""

    moves: List[ReviewedMove]

    @property
    def marks(self) -> List[str]:
        """The mark of each move: one of :data:`brier.MARKS`."""
        return [move.mark for move in self.moves]

    @property
    def losses(self) -> numpy.ndarray:
        """The expected points that each move lost."""
        return numpy.array([move.loss for move in self.moves], dtype=float)


class ReviewedGame(_Moves):
    """A game: its tags, its opening, its moves, and what of it could not be read."""

    def __init__(self, record: Dict[str, Any]) -> None:
        self.number: int = record["game"]
        self.tags: Dict[str, str] = record["tags"]
        self.result: str = record["result"]
        self.faults: List[str] = record["faults"]
        self.eco: Optional[str] = record["eco"]
        self.opening: Optional[str] = record["opening"]
        self.fen: str = record["fen"]
        self.moves = [ReviewedMove(move) for move in record["moves"]]

    def __repr__(self) -> str:
        white, black = (self.tags.get(name, "?") for name in ("White", "Black"))
        return f"<brier.ReviewedGame {white} - {black} {self.result}, {len(self.moves)} moves>"


class Review(_Moves):
    """Reviewed games, in the order of the input, and the moves of all of them."""

    def __init__(self, native: _brier.Reviewed) -> None:
        self._native = native
        self.games = [ReviewedGame(json.loads(text)) for text in native.records()]
        self.moves = [move for game in self.games for move in game.moves]

    def to_pandas(self) -> "pandas.DataFrame":
        """A row for each move, with the game's number, players, result and opening."""
        try:
            import pandas
        except ImportError as error:
            raise RuntimeError(f"expected pandas (pip install pandas), got: {error}") from None
        rows = [_row(game, move) for game in self.games for move in game.moves]
        return pandas.DataFrame(rows, columns=_COLUMNS)

    def to_html(self, path: Union[str, "os.PathLike[str]", None] = None) -> str:
        """A page that replays the games and needs nothing else; written to ``path`` if it is given."""
        page = self._native.html()
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def to_pgn(self) -> str:
        """The games with scores, marks and better lines, beside what was there."""
        return self._native.pgn()

    def __repr__(self) -> str:
        return f"<brier.Review {len(self.games)} games, {len(self.moves)} moves>"


#: Of a move, as they are.
_PLAIN = (
    ["ply", "number", "side", "san", "uci", "mark", "sure", "loss", "found", "rating"]
    + ["cp", "mate", "points", "book", "phase", "clock", "seconds", "time_trouble"]
)
_QUANTILES = ["q10", "q25", "q50", "q75", "q90"]
_COLUMNS = (
    ["game", "white", "black", "result", "eco", "opening"]
    + _PLAIN
    + _QUANTILES
    + ["best", "best_points", "confidence"]
)


def _row(game: ReviewedGame, move: ReviewedMove) -> Dict[str, Any]:
    row = {
        "game": game.number,
        "white": game.tags.get("White"),
        "black": game.tags.get("Black"),
        "result": game.result,
        "eco": game.eco,
        "opening": game.opening,
        "best": move.best["san"][0] if move.best["san"] else None,
        "best_points": move.best["points"],
        "confidence": move.best["confidence"],
    }
    row.update((name, getattr(move, name)) for name in _PLAIN)
    row.update(zip(_QUANTILES, move.quantiles or [None] * 5))
    return row


def review(
    games: Games,
    *,
    nodes: Optional[int] = None,
    depth: Optional[int] = None,
    seconds: Optional[float] = None,
    workers: Optional[int] = None,
    hash: int = 16,
    **options: Any,
) -> Review:
    """Judges every move of the games of a PGN text, as ``brier analyze`` does.

    ``games`` is a text (or bytes, in any encoding) with one game or many, or a game of
    python-chess. Each position is searched to the limits: ``nodes``, ``depth`` or ``seconds``. Games
    are shared among ``workers`` engines of one thread, one for each core unless a number is given;
    what is said about a game does not depend on it. UCI options may follow as for
    :class:`brier.Engine`. Ctrl-C ends the work with ``KeyboardInterrupt``.
    """
    nodes, depth, milliseconds, _ = limits(nodes=nodes, depth=depth, seconds=seconds)
    count = workers if workers is not None else os.cpu_count() or 1
    if count < 1:
        raise ValueError(f"workers: expected 1 or more, got {workers!r}")
    named = {"Threads": 1, "Hash": hash, **options}
    given = [option(name, value) for name, value in named.items()]
    return Review(_brier.review(_bytes(games), given, count, nodes, depth, milliseconds))


def _bytes(games: Games) -> bytes:
    if isinstance(games, bytes):
        return games
    if isinstance(games, str):
        return games.encode("utf-8", "surrogateescape")
    if hasattr(games, "mainline_moves"):
        return str(games).encode("utf-8")
    kind = type(games).__name__
    raise ValueError(f"expected games as a PGN text or a game of python-chess, got {kind}")
