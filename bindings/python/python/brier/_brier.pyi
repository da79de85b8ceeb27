"""The native half of the package; people use what `brier` itself offers."""

from typing import List, Optional, Sequence, Tuple

__version__: str

class Engine:
    def __init__(self, options: Sequence[Tuple[str, str]]) -> None: ...
    def analyse(
        self,
        fen: str,
        moves: Sequence[str],
        lines: int,
        nodes: Optional[int],
        depth: Optional[int],
        milliseconds: Optional[int],
        mate: Optional[int],
        root_moves: Sequence[str],
        chess960: bool,
    ) -> Answer: ...
    def evaluate(self, fen: str) -> List[int]: ...
    def set(self, name: str, value: Optional[str]) -> None: ...
    def new_game(self) -> None: ...
    def stop(self) -> None: ...

class Answer:
    """What a search found."""

    @property
    def best(self) -> Optional[str]:
        """The move to play, in UCI notation; none if the game is over."""
    @property
    def ponder(self) -> Optional[str]:
        """The reply that is expected."""
    @property
    def lines(self) -> List[Line]:
        """The best lines, best first; none if the game is over or the move is a book's."""
    @property
    def nodes(self) -> int:
        """Positions looked at."""
    @property
    def seconds(self) -> float:
        """How long it took."""
    @property
    def is_book(self) -> bool:
        """Whether the move comes from an opening book, without a search."""

class Line:
    """One line of play and what it is worth, for the side to move."""

    @property
    def score(self) -> int:
        """Centipawns; a mate is a number far beyond, see `mate`."""
    @property
    def mate(self) -> Optional[int]:
        """Moves to a forced mate, below 0 if it is the opponent's."""
    @property
    def bound(self) -> str:
        """`exact`, or `lower` or `upper` if the score is only a bound."""
    @property
    def quantiles(self) -> Tuple[int, int, int, int, int]:
        """What a deeper search would say, as quantiles 0.1, 0.25, 0.5, 0.75, 0.9."""
    @property
    def chances(self) -> Tuple[float, float, float]:
        """The chances of win, draw and loss if both sides think as long about each move as this search did; they add up to 1."""
    @property
    def points(self) -> float:
        """Expected points, 0 to 1."""
    @property
    def confidence(self) -> Optional[float]:
        """How likely a search with 64 times the nodes finds the first move the best or nearly so, 0
        to 1; none where nothing can be said, as with the classical evaluation."""
    @property
    def depth(self) -> int:
        """The depth of the search in plies."""
    @property
    def seldepth(self) -> int:
        """The longest line looked at."""
    @property
    def pv(self) -> List[str]:
        """The moves in UCI notation."""
    @property
    def san(self) -> List[str]:
        """The moves as people write them."""

def evaluate(fens: Sequence[str], threads: int, eval_file: str) -> bytes: ...

class Reviewed:
    def records(self) -> List[str]: ...
    def html(self) -> str: ...
    def pgn(self) -> str: ...

def review(
    text: bytes,
    options: Sequence[Tuple[str, str]],
    workers: int,
    nodes: Optional[int],
    depth: Optional[int],
    milliseconds: Optional[int],
) -> Reviewed: ...
