"""Lets lichess-bot's own engine wrapper play a game with Brier and the options of lichess-bot.yml.

    python packaging/lichess-bot-check.py LICHESS_BOT BRIER

LICHESS_BOT is a checkout of https://github.com/lichess-bot-devs/lichess-bot whose requirements are installed, BRIER the
engine's binary. The opponent plays at random, so the game must end with a win of the engine, with all moves
made through the wrapper: options, clocks, pondering, statistics.
"""

import random
import sys
from pathlib import Path

import chess
import chess.engine
import yaml

PLIES = 300


def main(checkout: str, binary: str) -> int:
    sys.path.insert(0, checkout)
    from lib import config, engine_wrapper

    raw = yaml.safe_load((Path(checkout) / "config.yml.default").read_text())
    ours = yaml.safe_load((Path(__file__).parent / "lichess-bot.yml").read_text())["engine"]
    path = Path(binary).resolve()
    raw["engine"] = {**raw["engine"], **ours, "dir": str(path.parent), "name": path.name}
    config.insert_default_values(raw)
    source, board = random.Random(1), chess.Board()
    clock, shown = 20.0, set()
    with engine_wrapper.create_engine(config.Configuration(raw)) as engine:
        print(f"{engine.name()} with {ours['uci_options']}")
        while not board.is_game_over() and board.ply() < PLIES:
            if board.turn == chess.WHITE:
                limit = chess.engine.Limit(
                    white_clock=clock, black_clock=clock, white_inc=0.1, black_inc=0.1
                )
                done = engine.search(board, limit, ours["ponder"], False, list(board.legal_moves))
                engine.add_comment(done, board)
                shown = {stat.split(":")[0] for stat in engine.get_stats()}
                board.push(done.move)
            else:
                board.push(source.choice(list(board.legal_moves)))
    print(f"{board.result()} after {board.ply()} half-moves; the wrapper showed {sorted(shown)}")
    return 0 if board.result() == "1-0" else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"expected a checkout of lichess-bot and a binary, got {len(sys.argv) - 1} arguments")
    sys.exit(main(*sys.argv[1:]))
