"""A test that was collected and did not run fails the run."""

from types import SimpleNamespace

import pytest

from tests.counting import Counting
from tests.sweeping import Sweeping


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


class TestSweeps:
    """Sweeps over every case are left out of `make test`, and the run says so."""

    LINE = "3 sweeps deselected; make sweeps runs them"

    @staticmethod
    def item(*marks):
        return SimpleNamespace(get_closest_marker=lambda name: name if name in marks else None)

    @staticmethod
    def summary(sweeping):
        lines = []
        sweeping.pytest_terminal_summary(SimpleNamespace(write_line=lines.append))
        return lines

    def test_a_run_says_how_many_it_left_out(self):
        sweeping = Sweeping()
        sweeping.pytest_deselected([self.item("sweep"), self.item("browser")])
        sweeping.pytest_deselected([self.item("slow", "sweep"), self.item("sweep")])
        assert self.summary(sweeping) == [self.LINE]

    def test_workers_tell_the_process_that_reports(self):
        worker, reporting = Sweeping(), Sweeping()
        worker.pytest_deselected([self.item("sweep")] * 3)
        config = SimpleNamespace(workeroutput={})
        worker.pytest_sessionfinish(SimpleNamespace(config=config))
        for node in (config, config, SimpleNamespace()):  # the last one was killed
            reporting.pytest_testnodedown(node)
        assert self.summary(reporting) == [self.LINE]

    def test_a_run_that_left_none_out_says_nothing(self):
        assert self.summary(Sweeping()) == []
