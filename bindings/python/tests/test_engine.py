"""The engine against python-chess and against the UCI program of the same source."""

import _thread
import re
import signal
import subprocess
import threading
import time

import chess
import pytest

import brier

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
POSITIONS = ["startpos", KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"]


def uci(program, position, go, **options):
    """Lines of one search of the UCI program."""
    where = position if position == "startpos" else f"fen {position}"
    commands = [f"setoption name {name} value {value}" for name, value in options.items()]
    commands += [f"position {where}", go]
    done = subprocess.run(
        [program], input="\n".join(commands) + "\n", capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize("position", POSITIONS)
def test_a_search_is_that_of_the_program(program, position):
    lines = uci(program, position, "go nodes 20000", MultiPV=2)
    answer = brier.Engine().analyse(position, nodes=20_000, lines=2)
    best = next(line for line in lines if line.startswith("bestmove")).split()
    infos = [line for line in lines if " pv " in line]
    assert [answer.best, answer.ponder] == best[1::2]
    for number, line in enumerate(answer.lines, 1):
        info = [text for text in infos if f" multipv {number} " in text][-1]
        depth, kind, score = re.search(r" depth (\d+) .* score (cp|mate) (-?\d+)", info).groups()
        assert line.depth == int(depth)
        assert (line.mate if kind == "mate" else line.score) == int(score)
        assert " pv " + " ".join(line.pv) in info
    nodes = [int(re.search(r" nodes (\d+)", line)[1]) for line in infos]
    assert answer.nodes == nodes[-1]


def test_lines_are_legal_and_read_the_same_in_san():
    board = chess.Board(KIWIPETE)
    # Points are those of games with 20,000 nodes a move, chances those of as long a thought: here the same.
    answer = brier.Engine().analyse(board, nodes=100_000, lines=4)
    assert len(answer.lines) == 4
    assert answer.best == answer.lines[0].pv[0]
    for line in answer.lines:
        copy = board.copy()
        for move, san in zip(line.pv, line.san):
            assert copy.san(chess.Move.from_uci(move)) == san
            copy.push_uci(move)
        assert list(line.quantiles) == sorted(line.quantiles)
        assert sum(line.chances) == pytest.approx(1)
        assert line.points == pytest.approx(line.chances[0] + line.chances[1] / 2)
        assert 0 <= line.confidence <= 1


def test_mates_are_counted_in_moves():
    engine = brier.Engine()
    answer = engine.analyse("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", depth=6)
    assert (answer.best, answer.lines[0].mate, answer.lines[0].points) == ("a1a8", 1, 1.0)
    over = engine.analyse("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", depth=6)
    assert (over.best, over.lines) == (None, [])


def test_a_board_brings_its_game():
    """Black could repeat for the third time: only a game with a past knows."""
    board = chess.Board("6k1/3q4/8/3N4/8/8/6P1/6K1 w - - 0 1")
    engine = brier.Engine()
    won = engine.analyse(board, depth=8).lines[0].score
    for move in ["d5f6", "g8g7", "f6d5", "g7g8"] * 2:
        board.push_uci(move)
    engine.new_game()
    drawn = engine.analyse(board, depth=8).lines[0].score
    assert won > 200 and abs(drawn) < 50


def test_chess960_castling_is_written_as_the_board_does():
    board = chess.Board.from_chess960_pos(518)
    for san in ["e4", "e5", "Nf3", "Nf6", "Bc4", "Bc5"]:
        board.push_san(san)
    castles = board.parse_san("O-O")
    answer = brier.Engine().analyse(board, depth=3, root_moves=[castles.uci()])
    assert answer.best == castles.uci() == "e1h1"
    answer = brier.Engine().analyse(board.fen(), depth=3, root_moves=["e1g1"])
    assert answer.best == "e1g1"


def test_moves_follow_a_fen():
    answer = brier.Engine().analyse("startpos", moves=["e2e4", "e7e5"], depth=4)
    assert chess.Move.from_uci(answer.best) in chess.Board(
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    ).legal_moves


def test_another_thread_stops_a_search():
    engine = brier.Engine()
    timer = threading.Timer(0.5, engine.stop)
    timer.start()
    answer = engine.analyse(seconds=600)
    assert answer.best and answer.seconds < 300


def test_ctrl_c_stops_a_search_and_the_engine_lives_on():
    # Programs that a shell starts in the background ignore it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    engine = brier.Engine()
    threading.Timer(0.5, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        engine.analyse(seconds=600)
    assert engine.analyse(depth=3).best


def test_other_threads_run_during_a_search():
    engine = brier.Engine()
    search = threading.Thread(target=lambda: engine.analyse(seconds=600))
    search.start()
    time.sleep(0.1)
    counted = sum(1 for _ in range(100_000))
    engine.stop()
    search.join(300)
    assert counted == 100_000 and not search.is_alive()


def test_options_are_those_of_the_program():
    engine = brier.Engine(threads=2, hash=1, EvalFile="<classical>", Move_Overhead=50)
    assert engine.analyse(depth=4).best
    engine.set("Threads", 1)
    engine.set("UCI_ShowWDL", True)
    engine.set("Clear Hash")
    assert engine.evaluate("startpos") == tuple([engine.evaluate("startpos")[0]] * 5)


@pytest.mark.parametrize(
    "wrong, said",
    [
        (lambda: brier.Engine(threads=0), "Threads: expected 1 to 1024"),
        (lambda: brier.Engine(hash="much"), "Hash: expected 1 to"),
        (lambda: brier.Engine(NoSuchOption=1), "NoSuchOption"),
        (lambda: brier.Engine(EvalFile="/no/such/file"), "/no/such/file"),
        (lambda: brier.Engine().set("MultiPV", 0), "MultiPV: expected 1 to 500"),
        (lambda: brier.Engine().analyse(), "expected a limit"),
        (lambda: brier.Engine().analyse(nodes=0), "nodes: expected a number above 0, got 0"),
        (lambda: brier.Engine().analyse(depth=3, lines=0), "lines: expected 1 to 500, got 0"),
        (lambda: brier.Engine().analyse("no position", depth=1), "expected a FEN"),
        (lambda: brier.Engine().analyse(5, depth=1), "expected a FEN or a board"),
        (lambda: brier.Engine().analyse(depth=1, moves=["e2e5"]), "expected a legal move"),
        (lambda: brier.Engine().analyse(depth=1, root_moves=["x"]), "expected a legal move"),
    ],
)
def test_nonsense_is_a_value_error_that_says_what_was_expected(wrong, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        wrong()
