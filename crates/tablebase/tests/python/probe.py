"""Reads FENs, one per line, and writes WDL and DTZ of each, by python-chess.

usage: probe.py FOLDER < FENS
"""

import sys

import chess
import chess.syzygy

with chess.syzygy.open_tablebase(sys.argv[1]) as tables:
    for line in sys.stdin:
        board = chess.Board(line.strip())
        print(tables.probe_wdl(board), tables.probe_dtz(board))
