"""Matches on a Ray cluster of two nodes on this machine."""

import os

import numpy as np
import pytest

from stich.arena.blocks import blocks
from stich.arena.match import run_match
from stich.arena.plan import plan_match
from stich.core.errors import StichError
from stich.run.workers import Cluster, InProcess

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"
utils = pytest.importorskip("ray.cluster_utils", reason="Ray is not installed")


@pytest.fixture(scope="module")
def cluster():
    """A head that plays nothing and a node with one core; tests add others."""
    sizes = {"object_store_memory": 80_000_000, "include_dashboard": False}
    found = utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1, **sizes})
    yield found
    found.shutdown()


def node(cluster):
    return cluster.add_node(num_cpus=1, object_store_memory=80_000_000)


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_of_two_nodes_gives_the_same_and_a_dying_node_costs_no_game(cluster):
    plan = plan_match("jass", {}, ["rule", "weaken(rule)"], seed=7)
    expected = run_match(plan, 600, InProcess()).figures
    extra = node(cluster)
    place = Cluster(cluster.address)
    try:
        assert place.count == 2
        assert np.array_equal(run_match(plan, 600, place).figures, expected)
        found = []
        for i, block in enumerate(blocks(plan, 0, 600, place)):
            found.append(block.figures)
            if i == 1:
                cluster.remove_node(extra, allow_graceful=False)
        assert np.array_equal(np.concatenate(found), expected)
    finally:
        place.close()


@pytest.mark.filterwarnings("ignore")
def test_errors_on_a_cluster_are_as_elsewhere(cluster):
    place = Cluster(cluster.address)
    try:
        with pytest.raises(StichError, match="has no agent"):
            list(blocks(plan_match("jass", {}, ["rule", "nobody"]), 0, 5, place))
    finally:
        place.close()


@pytest.mark.filterwarnings("ignore")
def test_a_search_for_settings_on_a_cluster_gives_the_same(cluster, tmp_path):
    from test_learn_tune import BETTEL, run_search, shown

    expected = run_search(BETTEL, tmp_path / "here", 2, InProcess())
    place = Cluster(cluster.address)
    try:
        assert shown(run_search(BETTEL, tmp_path / "there", 2, place)) == shown(expected)
    finally:
        place.close()


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_is_not_there_is_an_error():
    with pytest.raises(StichError, match="no Ray cluster"):
        Cluster("127.0.0.1:1")
