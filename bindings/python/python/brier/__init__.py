"""Brier, a chess engine that knows what it does not know.

    import brier

    engine = brier.Engine(threads=2, hash=256)
    answer = engine.analyse("startpos", nodes=100_000, lines=3)
    print(answer.best, answer.lines[0].score, answer.lines[0].quantiles)

    q = brier.evaluate(["startpos", "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"])   # numpy, (2, 5)

    review = brier.review(open("games.pgn").read(), nodes=20_000)
    print(review.marks, review.losses)
    review.to_html("games.html")

Positions are FENs, the word ``startpos``, or boards of python-chess. All scores are in
centipawns for the side to move. Input that makes no sense is a ``ValueError``.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterable, Optional, Sequence, Tuple, Union

import numpy

from . import _brier
from ._brier import Answer, Line, __version__
from ._options import limits as _limits, option as _option, text as _text
from ._review import MARKS, Review, ReviewedGame, ReviewedMove, review

if TYPE_CHECKING:
    import chess

    Position = Union[str, "chess.Board"]

__all__ = [
    "Answer", "Engine", "Line", "MARKS", "QUANTILES", "Review", "ReviewedGame", "ReviewedMove",
    "__version__", "evaluate", "review",
]

#: Which quantiles the five columns of :func:`evaluate` are.
QUANTILES = (0.10, 0.25, 0.50, 0.75, 0.90)


class Engine:
    """The engine, with the memory of its searches.

    ``threads`` and ``hash`` (in megabytes) are the options of those names; any other UCI option
    may follow, with ``_`` for a space: ``Engine(SyzygyPath="/tables", Move_Overhead=50)``.

    One search runs at a time; a second thread that asks waits for its turn. Searches run
    without Python's lock, so other threads go on.
    """

    def __init__(self, *, threads: int = 1, hash: int = 16, **options: Any) -> None:
        named = {"Threads": threads, "Hash": hash, **options}
        self._chess960 = bool(options.get("UCI_Chess960"))
        self._native = _brier.Engine([_option(name, value) for name, value in named.items()])

    def analyse(
        self,
        position: Position = "startpos",
        *,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
        seconds: Optional[float] = None,
        mate: Optional[int] = None,
        lines: int = 1,
        moves: Iterable[Any] = (),
        root_moves: Iterable[Any] = (),
    ) -> Answer:
        """Searches a position and returns what was found.

        At least one limit must be given: ``nodes``, ``depth``, ``seconds``, or ``mate`` (stop
        when a mate in that many moves is found). ``lines`` is the number of best lines wanted.
        ``moves`` are played from ``position`` before the search, ``root_moves`` are the only
        ones it looks at. Ctrl-C ends the search with ``KeyboardInterrupt``; :meth:`stop` from
        another thread ends it with what was found so far.
        """
        nodes, depth, milliseconds, mate = _limits(nodes, depth, seconds, mate)
        if not 1 <= lines <= 500:
            raise ValueError(f"lines: expected 1 to 500, got {lines!r}")
        fen, played = _position(position)
        return self._native.analyse(
            fen,
            played + [str(move) for move in moves],
            lines,
            nodes,
            depth,
            milliseconds,
            mate,
            [str(move) for move in root_moves],
            getattr(position, "chess960", self._chess960),
        )

    def evaluate(self, position: Position) -> Tuple[int, int, int, int, int]:
        """The five quantiles of one position, without a search."""
        return tuple(self._native.evaluate(_fen(position)))

    def set(self, name: str, value: Any = None) -> None:
        """Sets a UCI option by its name; a button such as ``Clear Hash`` takes no value."""
        self._native.set(name, None if value is None else _text(value))

    def new_game(self) -> None:
        """Forgets what earlier searches found."""
        self._native.new_game()

    def stop(self) -> None:
        """Ends the search that runs now, if one does; meant for another thread."""
        self._native.stop()


def evaluate(
    positions: Iterable[Position], *, threads: Optional[int] = None, eval_file: str = "<default>"
) -> numpy.ndarray:
    """The quantiles of many positions, without a search: an array of shape ``(n, 5)``.

    Column ``i`` is the quantile ``QUANTILES[i]``, in centipawns for the side to move. All
    cores work unless ``threads`` says how many. ``eval_file`` is the option ``EvalFile``: a
    network's path, ``<default>`` or ``<classical>``.
    """
    if isinstance(positions, str):
        raise ValueError("expected a list of positions, got one text; write [text]")
    fens = [p if isinstance(p, str) else _fen(p) for p in positions]
    count = threads if threads is not None else os.cpu_count() or 1
    if count < 1:
        raise ValueError(f"threads: expected 1 or more, got {threads!r}")
    rows = _brier.evaluate(fens, count, eval_file)
    return numpy.frombuffer(rows, dtype=numpy.int32).reshape(-1, 5).copy()


def _position(position: Position) -> Tuple[str, Sequence[str]]:
    """A FEN and the moves played since, so that repetitions are known."""
    if isinstance(position, str):
        return position, []
    if hasattr(position, "move_stack") and hasattr(position, "root"):
        return _fen(position.root()), [move.uci() for move in position.move_stack]
    raise ValueError(f"expected a FEN or a board of python-chess, got {type(position).__name__}")


def _fen(position: Position) -> str:
    if isinstance(position, str):
        return position
    if hasattr(position, "fen"):
        # Castling rights by file letters: the only form that says all in Chess960.
        return position.shredder_fen() if position.chess960 else position.fen()
    raise ValueError(f"expected a FEN or a board of python-chess, got {type(position).__name__}")
