"""Makes a reference for `brier-lab judge`: records searched by a strong engine.

    python reference.py positions.pos reference.tsv --engine stockfish --nodes 60000 --count 6000

Takes the first positions of a file of records (which is in random order) that are not in check, and writes
a line for each: FEN, score, win, draw, loss (per mille) and the best move, between tabs. Records know of no
castling rights and no en passant, so the positions have none.
"""

import argparse
import struct
import subprocess
import sys

RECORD = 32
IN_CHECK = 1


def fen(record):
    """The position of a record, the side to move as White."""
    (occupied,) = struct.unpack_from("<Q", record)
    board = [""] * 64
    squares = (square for square in range(64) if occupied >> square & 1)
    for index, square in enumerate(squares):
        board[square] = "PNBRQK??pnbrqk??"[record[8 + index // 2] >> 4 * (index % 2) & 15]
    ranks = []
    for rank in reversed(range(8)):
        text, empty = "", 0
        for piece in board[8 * rank : 8 * rank + 8] + ["end"]:
            if not piece:
                empty += 1
                continue
            text += (str(empty) if empty else "") + (piece if piece != "end" else "")
            empty = 0
        ranks.append(text)
    return "/".join(ranks) + " w - - 0 1"


class Engine:
    """A UCI engine on one thread, with an empty table for each position."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for line in ("setoption name UCI_ShowWDL value true", "setoption name Threads value 1"):
            self.say(line)

    def say(self, line):
        print(line, file=self.process.stdin, flush=True)

    def search(self, position, nodes):
        """The last complete line's score and chances, and the move; none if the engine has none."""
        self.say(f"ucinewgame\nposition fen {position}\ngo nodes {nodes}")
        found = None
        for line in self.process.stdout:
            words = line.split()
            if "wdl" in words and not {"lowerbound", "upperbound"} & set(words):
                at = words.index
                found = [" ".join(words[at("score") + 1 : at("score") + 3]), *words[at("wdl") + 1 : at("wdl") + 4]]
            if words[:1] == ["bestmove"]:
                return found and [*found, words[1]]
        sys.exit("reference.py: expected an answer from the engine, it has ended")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records")
    parser.add_argument("output")
    parser.add_argument("--engine", default="stockfish", help="a UCI engine that knows UCI_ShowWDL")
    parser.add_argument("--nodes", type=int, default=60_000)
    parser.add_argument("--count", type=int, default=6_000)
    args = parser.parse_args()
    engine = Engine(args.engine)
    with open(args.records, "rb") as records, open(args.output, "w") as output:
        head = records.read(RECORD)
        if head[:8] != b"BRIERPOS":
            sys.exit(f"reference.py: expected a file of records, got {args.records}")
        print("# fen\tscore\twin\tdraw\tloss\tbest move", file=output)
        written = 0
        while written < args.count and len(record := records.read(RECORD)) == RECORD:
            if record[31] & IN_CHECK:
                continue
            position = fen(record)
            if found := engine.search(position, args.nodes):
                print(position, *found, sep="\t", file=output, flush=True)
                written += 1


if __name__ == "__main__":
    main()
