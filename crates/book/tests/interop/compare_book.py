"""Counts the moves of a PGN file with python-chess and compares them with a Polyglot book.

usage: compare_book.py GAMES.pgn BOOK.bin MAX_PLY
"""

import collections
import sys

import chess
import chess.pgn
import chess.polyglot

games, book, max_ply = sys.argv[1], sys.argv[2], int(sys.argv[3])

# For each position, by the format's key, the weight of each move; and a board to ask with.
weights = collections.defaultdict(collections.Counter)
boards = {}
with open(games) as file:
    while (game := chess.pgn.read_game(file)) is not None:
        points = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1)}[game.headers["Result"]]
        board = game.board()
        for ply, move in enumerate(game.mainline_moves()):
            if ply >= max_ply:
                break
            key = chess.polyglot.zobrist_hash(board)
            boards.setdefault(key, board.copy(stack=False))
            weights[key][move] += points[ply % 2]
            board.push(move)

agreed = 0
with chess.polyglot.open_reader(book) as reader:
    for key, expected in weights.items():
        found = {entry.move: entry.weight for entry in reader.find_all(boards[key])}
        expected = {move: weight for move, weight in expected.items() if weight > 0}
        if found != expected:
            sys.exit(f"{boards[key].fen()}: expected {expected}, found {found}")
        agreed += len(found)
    if agreed != len(reader):
        sys.exit(f"the book has {len(reader)} entries, {agreed} of them from the games")
print(f"{agreed} entries agree")
