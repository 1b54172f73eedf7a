"""A test that was collected and did not run fails the run."""

from types import SimpleNamespace

import pytest

from tests.counting import Counting


def told(when, nodeid, **properties):
    return SimpleNamespace(when=when, nodeid=nodeid, user_properties=list(properties.items()))


@pytest.fixture
def session():
    options = SimpleNamespace(collectonly=False)
    return SimpleNamespace(config=SimpleNamespace(option=options), exitstatus=0)


def test_two_items_with_one_id_of_which_one_ran(session):
    counting = Counting()
    counting.pytest_xdist_node_collection_finished(None, ["a", "b", "b"])
    for nodeid in "ab":
        counting.pytest_runtest_logreport(told("setup", nodeid))
    counting.pytest_sessionfinish(session, 0)
    assert session.exitstatus == pytest.ExitCode.TESTS_FAILED
    assert counting.missed() == {"b": 1}


def test_every_collected_item_ran(session):
    counting = Counting()
    counting.pytest_xdist_node_collection_finished(None, ["a"])
    counting.pytest_runtest_logreport(told("setup", "a"))
    counting.pytest_runtest_logreport(told("teardown", "a", requests=3))
    counting.pytest_sessionfinish(session, 0)
    assert session.exitstatus == 0
    assert counting.requests == {"a": 3}
