"""Drives the engine named on the command line with python-chess, an independent client.

python-chess raises on a line it cannot read, on an illegal best move and on an engine that
dies; the assertions here add what it does not check by itself.
"""

import sys
import chess
import chess.engine


def play_a_game(engine, board, limit, plies):
    while not board.is_game_over(claim_draw=True) and len(board.move_stack) < plies:
        result = engine.play(board, limit, info=chess.engine.INFO_ALL)
        assert result.move in board.legal_moves
        assert result.info["depth"] >= 1 and result.info["score"] is not None
        board.push(result.move)


def check_lines(board, infos):
    """Every principal variation is legal from end to end."""
    for info in infos:
        line = board.copy()
        for move in info.get("pv", []):
            assert move in line.legal_moves, (board.fen(), info)
            line.push(move)


def main():
    engine = chess.engine.SimpleEngine.popen_uci(sys.argv[1], timeout=120)
    assert engine.id["name"].startswith("Brier ") and engine.id["author"]
    assert engine.options["Hash"].default == 16 and engine.options["UCI_Elo"].min == 800

    play_a_game(engine, chess.Board(), chess.engine.Limit(nodes=300), 60)
    play_a_game(engine, chess.Board.from_chess960_pos(100), chess.engine.Limit(nodes=300), 60)
    play_a_game(engine, chess.Board(), chess.engine.Limit(white_clock=0.05, black_clock=0.05), 6)

    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    infos = engine.analyse(board, chess.engine.Limit(depth=6), multipv=4)
    assert len(infos) == 4 and len({info["pv"][0] for info in infos}) == 4
    check_lines(board, infos)

    engine.configure({"UCI_ShowWDL": True, "Hash": 4, "Threads": 2})
    info = engine.analyse(board, chess.engine.Limit(nodes=2000))
    assert info["wdl"].white().total() == 1000
    engine.configure({"UCI_ShowWDL": False, "Clear Hash": None})

    mate = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    info = engine.analyse(mate, chess.engine.Limit(depth=4))
    assert info["score"].white().mate() == 1 and info["pv"] == [chess.Move.from_uci("a1a8")]

    only = engine.play(board, chess.engine.Limit(depth=3), root_moves=[board.parse_san("a3")])
    assert only.move == chess.Move.from_uci("a2a3")

    over = chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert engine.play(over, chess.engine.Limit(depth=3)).move is None

    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5:
                break
    engine.ping()
    engine.quit()


main()
