"""A real Ray cluster of two nodes on this machine; part of full test runs only."""

import os

import pytest

from brier import mass
from test_evaluate import games
from test_mass import WORK, results

if "BRIER_CLUSTER_TESTS" not in os.environ:
    pytest.skip("a cluster is started by `cargo xtask test --full`", allow_module_level=True)

import ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402


@pytest.fixture
def cluster():
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def test_two_nodes_give_the_rows_of_one_process_also_when_one_is_lost(cluster, tmp_path):
    path = tmp_path / "positions.epd"
    path.write_text("\n".join(games(8, 60)))
    mass.analyse(path, tmp_path / "one", WORK, workers=1)

    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, log_to_driver=False)
    assert mass.analyse(path, tmp_path / "two", WORK, ray=cluster.address) == 15
    assert results(tmp_path / "two") == results(tmp_path / "one")

    from brier import ray as brier_ray

    shards = mass.shards(path, WORK.shard)
    done = {}
    for number, text in brier_ray.run(WORK, shards, False, address=cluster.address):
        assert number not in done
        done[number] = text
        if len(done) == 3:
            cluster.remove_node(second, allow_graceful=False)
    whole = {n: mass.part(tmp_path / "one", n).read_text() for n in range(15)}
    assert done == whole
