"""A real Ray cluster of two nodes on this machine; part of full test runs only."""

import os
import random
import signal
import sys
from functools import partial
from pathlib import Path

import chess
import chess.pgn
import pytest

from brier import commands, mass
from test_commands import WRITES
from test_mass import results

if "BRIER_CLUSTER_TESTS" not in os.environ:
    pytest.skip("a cluster is started by `cargo xtask test --full`", allow_module_level=True)

import ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

from brier import ray as brier_ray  # noqa: E402

WORK = mass.Work(nodes=2000, shard=2, hash=1)
SHARDS = 20


@pytest.fixture(scope="module")
def cluster():
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """A file of random games, and the folder of what one process makes of it."""
    folder, source = tmp_path_factory.mktemp("games"), random.Random(8)
    with open(folder / "games.pgn", "w") as file:
        for _ in range(SHARDS * WORK.shard):
            board = chess.Board()
            for _ in range(12):
                board.push(source.choice(list(board.legal_moves)))
            print(chess.pgn.Game.from_board(board), file=file, end="\n\n")
    assert mass.analyse(folder / "games.pgn", folder / "one", WORK, workers=1) == SHARDS
    return folder / "games.pgn", folder / "one"


def add_node(cluster):
    node = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    return node


def workers_of(node):
    """The processes of a node that work on tasks at the moment."""
    raylet = node.all_processes["raylet"][0].process.pid
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes()
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if parent == raylet and command.startswith(b"ray::") and b"IDLE" not in command:
            yield int(entry.name)


def test_two_nodes_give_the_rows_of_one_process(cluster, games, tmp_path):
    node = add_node(cluster)
    source, one = games
    assert mass.analyse(source, tmp_path / "two", WORK, ray=cluster.address) == SHARDS
    assert results(tmp_path / "two") == results(one)
    assert mass.analyse(source, tmp_path / "two", WORK, ray=cluster.address) == 0
    cluster.remove_node(node)


def test_a_worker_and_then_a_node_are_lost_and_no_game_is(cluster, games, monkeypatch):
    # Tasks of a few shards, so that there are enough to lose.
    monkeypatch.setattr(brier_ray, "TASK_SECONDS", 0.2)
    node = add_node(cluster)
    source, one = games
    shards = mass.Source(source).shards(WORK.shard)
    done, killed = {}, []
    for number, data in brier_ray.run(partial(mass.part, WORK), shards, address=cluster.address):
        assert number not in done
        done[number] = data
        if not killed and len(done) >= 3:
            killed = list(workers_of(node))
            for pid in killed:
                os.kill(pid, signal.SIGKILL)
        if node and killed and len(done) >= 10:
            cluster.remove_node(node, allow_graceful=False)
            node = None
    assert killed and node is None
    assert done == {n: (one / f"part-{n:06}.jsonl").read_bytes() for n in range(SHARDS)}


def test_commands_run_on_the_cluster(cluster, tmp_path):
    words = ["--", sys.executable, "-c", WRITES, "{out}", "{n}"]
    assert commands.main(["4", str(tmp_path), "txt", "--ray", cluster.address, *words]) == 0
    assert [path.read_text() for path in sorted(tmp_path.glob("part-*"))] == ["0", "1", "2", "3"]


def test_a_command_that_fails_on_the_cluster_is_named(cluster, tmp_path, capsys):
    words = ["--", sys.executable, "-c", "raise SystemExit('broken')", "{out}"]
    assert commands.main(["1", str(tmp_path), "txt", "--ray", cluster.address, *words]) == 1
    assert "broken" in capsys.readouterr().err
