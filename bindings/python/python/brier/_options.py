"""What users give, as the native half takes it."""

from __future__ import annotations

from typing import Any, Optional, Tuple


def option(name: str, value: Any) -> Tuple[str, str]:
    """A UCI option from a keyword: ``_`` stands for a space, except in names like ``UCI_Elo``."""
    return name if name.startswith("UCI_") else name.replace("_", " "), text(value)


def text(value: Any) -> str:
    """A value as UCI writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def limits(
    nodes: Optional[int] = None,
    depth: Optional[int] = None,
    seconds: Optional[float] = None,
    mate: Optional[int] = None,
) -> Tuple[Optional[int], Optional[int], Optional[int], Optional[int]]:
    """The limits of a search with the time in milliseconds; at least one must be there."""
    given = {"nodes": nodes, "depth": depth, "seconds": seconds, "mate": mate}
    if all(value is None for value in given.values()):
        raise ValueError("expected a limit: nodes, depth, seconds or mate; got none")
    for name, value in given.items():
        if value is not None and not 0 < value < 2**31 * 1000:
            raise ValueError(f"{name}: expected a number above 0, got {value!r}")
    return nodes, depth, None if seconds is None else max(1, round(seconds * 1000)), mate
