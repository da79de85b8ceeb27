"""Reads the same three games in all formats and compares what they say."""

import csv
import json
import sys

base = sys.argv[1]
whole = json.load(open(base + ".json", encoding="utf-8"))
lines = [json.loads(line) for line in open(base + ".jsonl", encoding="utf-8")]
overview = lines.pop()
assert whole["version"] == 1 and whole["games"] == lines, "json and jsonl differ"
assert whole["overview"] == overview and overview["kind"] == "overview", overview
assert [game["kind"] for game in lines] == ["game"] * 3 + ["unread"], [game["kind"] for game in lines]
assert lines[3]["faults"] and lines[3]["moves"] == []

rows = list(csv.DictReader(open(base + ".csv", encoding="utf-8", newline="")))
moves = [(game, move) for game in lines for move in game["moves"]]
assert len(rows) == len(moves) == 12, len(rows)
for row, (game, move) in zip(rows, moves):
    assert row["white"] == game["tags"]["White"] and row["san"] == move["san"]
    for name in ["loss", "points", "cp", "mate", "clock", "seconds"]:
        value = move[name]
        assert row[name] == "" if value is None else float(row[name]) == value, (name, row[name], value)
    best = move["best"]
    assert row["best_uci"].split() == best["uci"] and len(best["uci"]) == len(best["san"]) > 0
    assert int(row["nodes"]) == best["nodes"] > 0 and int(row["depth"]) == best["depth"] > 0
    assert 0 <= best["confidence"] <= 1
    assert move["quantiles"] == sorted(move["quantiles"]) and len(move["point_quantiles"]) == 5
    assert 0 <= move["points"] <= 1 and move["phase"] == "opening"


def same(mean, values):
    """Is it the mean of these values?"""
    return mean is None if not values else abs(mean["value"] - sum(values) / len(values)) < 1e-9


for game in lines[:3]:
    for side, sums in game["summary"].items():
        own = [move for move in game["moves"] if move["side"] == side]
        assert sums["moves"] == len(own) and sums["book"] == sum(move["book"] for move in own)
        assert same(sums["loss"], [move["loss"] for move in own if not move["book"]]), sums
        for mark in ["blunder", "mistake"]:
            assert sums[mark + "s"] == sum(move["mark"] == mark and not move["book"] for move in own)
everything = [group for group in overview["groups"] if group["topic"] == "all"]
assert overview["games"] == 3 and len(everything) == 1 and everything[0]["games"] == 3, overview
assert same(everything[0]["loss"], [move["loss"] for _, move in moves if not move["book"]]), everything
first = lines[0]["moves"]
assert first[0]["book"] and first[0]["uci"] == "e2e4" and first[0]["seconds"] == 1.0
assert first[3]["time_trouble"] and first[3]["clock"] == 4.0 and not first[2]["time_trouble"]
assert lines[0]["eco"] and lines[0]["opening"]

try:
    import chess.pgn
except ImportError:
    sys.exit(0)
with open(base + ".pgn", encoding="utf-8") as file:
    for game in lines:
        read = chess.pgn.read_game(file)
        assert [move["uci"] for move in game["moves"]] == [move.uci() for move in read.mainline_moves()]
