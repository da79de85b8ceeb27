"""Reads the games that `brier analyze --pgn` wrote for the test with python-chess."""

import sys
import chess
import chess.pgn


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        games = list(iter(lambda: chess.pgn.read_game(file), None))
    assert len(games) == 3 and not any(game.errors for game in games), games

    fool, broken, random = games
    assert [move.uci() for move in broken.mainline_moves()] == ["e2e4", "e7e5"]
    # python-chess leaves the backslashes of the format in place.
    assert fool.headers["White"].replace("\\", "") == '<Fool> & "Co"'
    assert fool.headers["Result"] == "0-1"
    nodes = list(fool.mainline())
    assert [node.san() for node in nodes] == ["f3", "e5", "g4", "Qh4#"]
    assert nodes[0].clock() == 10
    assert chess.pgn.NAG_BLUNDER in nodes[2].nags
    assert nodes[2].eval().white().mate() == -1
    assert nodes[3].eval() is None, "a mate on the board has no score"
    better = nodes[1].variations
    assert better[0] is nodes[2] and len(better) == 2, "the better line is a variation"

    board = random.end().board()
    assert board.chess960 and len(board.move_stack) == 6
    for node in random.mainline():
        assert node.eval() is not None, node
        assert abs(node.eval().white().score(mate_score=10000)) < 1000, node


main()
