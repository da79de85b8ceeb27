"""What numbers of the search are worth, by the moves it chooses and what a stronger engine thinks of them.

    python moves.py screen  --engine TUNE --judge STOCKFISH --positions FENS --out RUN [--numbers 'lmr_*,rfp_*']
    python moves.py table   RUN [RUN ...]
    python moves.py compare --engine A [--option NAME=VALUE ...] --other B [--other-option NAME=VALUE ...] \\
                            --judge STOCKFISH --positions FENS

`screen` searches each position twice. A random half of the numbers is raised and the rest lowered, and the
other way round for the second search; where the two choose different moves, the judge searches the position
with either of them. So every position says something about every number, and `table` gives the slope of
each. `compare` does the same with two settings and says how much better the first one's moves are.
Both engines begin each search with nothing remembered. A run that was ended goes on where it was.
`TUNE` is the engine with its numbers as options (`cargo build --release -p brier --features tune`),
the judge any UCI engine with `UCI_ShowWDL`; worth is in thousandths of a point a move.
"""

import argparse
import fnmatch
import json
import math
import os
import random
import subprocess

# Numbers that do not decide which moves are searched how deep, or that only matter with a clock.
OTHER = "clock_*,stretch_*,vote_*,guard_*,policy_*,hunt_*,analysis_*,table_*,tablebase_*,check_*,doubt_clock"


class Engine:
    """A UCI engine on one thread with a small table."""

    def __init__(self, command, options=()):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1 << 16
        )
        self.say("uci")
        self.greeting = self.until("uciok")
        for name, value in [("Threads", 1), ("Hash", 16), *options]:
            self.say(f"setoption name {name} value {value}")

    def say(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def until(self, word):
        lines = []
        for line in self.process.stdout:
            lines.append(line.split())
            if lines[-1][:1] == [word]:
                return lines
        raise SystemExit(f"{self.process.args}: expected {word}, but the engine ended")

    def search(self, fen, go, options=()):
        """The lines of a search that begins with nothing remembered."""
        sets = "".join(f"setoption name {name} value {value}\n" for name, value in options)
        self.say(f"{sets}ucinewgame\nposition fen {fen}\ngo {go}")
        return self.until("bestmove")

    def numbers(self, wanted, spread):
        """The numbers whose names match, each with a lower and a higher value."""
        numbers = []
        for words in self.greeting:
            if words[:2] != ["option", "name"] or words[3:5] != ["type", "spin"]:
                continue
            name, value, least, most = words[2], *(int(words[at]) for at in (6, 8, 10))
            matches = [any(fnmatch.fnmatchcase(name, one) for one in many.split(",")) for many in (wanted, OTHER)]
            if name == name.lower() and matches == [True, False]:
                step = max(1, round(abs(value) * spread / 100))
                numbers.append((name, max(least, value - step), min(most, value + step)))
        return numbers


class Judge:
    """A stronger engine."""

    def __init__(self, command, nodes):
        self.engine = Engine(command, [("UCI_ShowWDL", "true")])
        self.nodes = nodes

    def worth(self, fen, move):
        """The expected points of a move."""
        lines = self.engine.search(fen, f"nodes {self.nodes} searchmoves {move}")
        chances = [line[line.index("wdl") + 1 :] for line in lines if "wdl" in line]
        if not chances:
            raise SystemExit(f"{self.engine.process.args}: expected win, draw and loss (UCI_ShowWDL), got none")
        return (int(chances[-1][0]) + int(chances[-1][1]) / 2) / 1000

    def difference(self, fen, first, second):
        """By how much the first move is better."""
        return 0.0 if first == second else self.worth(fen, first) - self.worth(fen, second)


def positions(arguments):
    with open(arguments.positions) as file:
        lines = [line.strip() for line in file if line.strip()]
    return lines[arguments.first : arguments.first + arguments.count]


def screen(arguments):
    engine, judge = Engine(arguments.engine), Judge(arguments.judge, arguments.judge_nodes)
    numbers = engine.numbers(arguments.numbers, arguments.spread)
    if not numbers:
        raise SystemExit(f"expected options like {arguments.numbers}, found none: is it a build with --features tune?")
    head = json.dumps({"numbers": numbers, "nodes": arguments.nodes, "seed": arguments.seed, "first": arguments.first})
    done = 0
    if os.path.exists(arguments.out):
        with open(arguments.out) as file:
            found, *lines = file.read().splitlines() or [""]
        if found != head:
            raise SystemExit(f"{arguments.out} holds another run; expected {head}, got {found}")
        done = len(lines)
    chance = random.Random(arguments.seed)
    with open(arguments.out, "a") as file:
        if not done:
            print(head, file=file)
        for count, fen in enumerate(positions(arguments), 1):
            signs = [chance.random() < 0.5 for _ in numbers]
            if count <= done:
                continue
            moves = []
            for turned in (False, True):
                values = [(name, high if sign != turned else low) for (name, low, high), sign in zip(numbers, signs)]
                moves.append(engine.search(fen, f"nodes {arguments.nodes}", values)[-1][1])
            better = judge.difference(fen, *moves)
            print("".join("-+"[sign] for sign in signs), *moves, f"{better:.4f}", file=file, flush=True)
            if count % 100 == 0:
                print(f"\r{count} positions", end="", flush=True)
    print()
    table(argparse.Namespace(runs=[arguments.out]))


def mean_and_error(values):
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values)) / len(values)


def table(arguments):
    rows, heads = [], []
    for run in arguments.runs:
        with open(run) as file:
            head, *lines = file.read().splitlines()
        heads.append(json.loads(head)["numbers"])
        rows += [(signs, float(better)) for signs, _, _, better in map(str.split, lines)]
    if any(head != heads[0] for head in heads) or not rows:
        raise SystemExit("expected runs with the same numbers, and at least one position")
    slopes = []
    for at, number in enumerate(heads[0]):
        slopes.append((*mean_and_error([better if signs[at] == "+" else -better for signs, better in rows]), number))
    measured = sum(mean**2 for mean, _, _ in slopes)
    real = max(0.0, 1 - sum(error**2 for _, error, _ in slopes) / measured) if measured else 0.0
    print(f"{len(rows)} positions; {real:.0%} of what the slopes spread is more than chance")
    for mean, error, (name, low, high) in sorted(slopes, key=lambda slope: -abs(slope[0])):
        print(f"{name:<36} {high:>6} for {low:<6} {1000 * mean:+.2f} ± {1960 * error:.2f}, likely {1000 * real * mean:+.2f}")


def compare(arguments):
    first = Engine(arguments.engine, arguments.option)
    second = Engine(arguments.other, arguments.other_option)
    judge, better, others = Judge(arguments.judge, arguments.judge_nodes), [], 0
    for count, fen in enumerate(positions(arguments), 1):
        moves = [engine.search(fen, f"nodes {arguments.nodes}")[-1][1] for engine in (first, second)]
        better.append(judge.difference(fen, *moves))
        others += moves[0] != moves[1]
        if count % 100 == 0 or count == arguments.count:
            mean, error = mean_and_error(better)
            text = f"{1000 * mean:+.2f} ± {1960 * error:.2f} thousandths a move"
            print(f"\r{count} positions, {others} with other moves: {text}", end="", flush=True)
    print()


def option(text):
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got {text}")
    return name, value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for work in (screen, compare):
        command = commands.add_parser(work.__name__)
        command.set_defaults(run=work)
        command.add_argument("--engine", required=True)
        command.add_argument("--judge", required=True)
        command.add_argument("--judge-nodes", type=int, default=60_000)
        command.add_argument("--nodes", type=int, default=50_000)
        command.add_argument("--positions", required=True, help="a FEN a line")
        command.add_argument("--first", type=int, default=0, help="positions to leave out")
        command.add_argument("--count", type=int, default=5_000)
        if work is screen:
            command.add_argument("--out", required=True)
            command.add_argument("--numbers", default="*", help="names, with * for any letters")
            command.add_argument("--spread", type=int, default=20, help="percent up and down")
            command.add_argument("--seed", type=int, default=1)
        else:
            command.add_argument("--other", required=True)
            command.add_argument("--option", type=option, action="append", default=[], metavar="NAME=VALUE")
            command.add_argument("--other-option", type=option, action="append", default=[], metavar="NAME=VALUE")
    command = commands.add_parser("table")
    command.set_defaults(run=table)
    command.add_argument("runs", nargs="+")
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
