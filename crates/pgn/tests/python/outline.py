"""Reads games from standard input with python-chess and writes what it found, one fact a line."""

import io
import sys

import chess.pgn


def words(comment):
    return " ".join(comment.split())


def describe(node, depth, lines):
    """Writes the moves after a node: the main one, its alternatives, then what follows it."""
    while node.variations:
        main = node.variations[0]
        for i, child in enumerate(node.variations):
            line = "%d %s %s <%s> <%s>" % (
                depth + (i > 0),
                child.move.uci(),
                sorted(child.nags),
                words(child.starting_comment),
                words(child.comment),
            )
            lines.append(line)
            if i > 0:
                describe(child, depth + 1, lines)
        node = main


def main():
    text = sys.stdin.buffer.read().decode("utf-8")
    source = io.StringIO(text)
    lines = []
    while (game := chess.pgn.read_game(source)) is not None:
        assert not game.errors, game.errors
        lines.append("game " + game.headers["Result"])
        # python-chess leaves the backslashes of the format in place.
        plain = lambda value: value.replace('\\"', '"').replace("\\\\", "\\")
        lines.extend(sorted("%s=%s" % (name, plain(value)) for name, value in game.headers.items()))
        lines.append("preface " + words(game.comment))
        describe(game, 0, lines)
    sys.stdout.buffer.write(("\n".join(lines) + "\n").encode("utf-8"))


main()
