"""What a wheel must do on its system: the answers are printed, and are the same on all of them.

    python wheel_trial.py [folder with the packages]
"""

import json
import sys
import threading
import time

sys.path[:0] = sys.argv[1:]

import brier  # noqa: E402

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
engine = brier.Engine(threads=1, hash=8)
for position in ["startpos", KIWIPETE]:
    answer = engine.analyse(position, nodes=2000, lines=2)
    lines = [[line.score, line.depth, list(line.quantiles), line.pv] for line in answer.lines]
    print(json.dumps([answer.best, answer.nodes, lines]))

print(brier.evaluate(["startpos", KIWIPETE]).tolist())

review = brier.review("1. f3 e5 2. g4 Qh4# 0-1", nodes=500)
print([(move.san, move.mark) for move in review.moves])

try:
    engine.analyse("no position", nodes=1)
except ValueError as error:
    print(error)


def stop():
    time.sleep(0.5)
    engine.stop()


threading.Thread(target=stop).start()
answer = engine.analyse("startpos", seconds=600)
print("stopped" if answer.best else "no move")
