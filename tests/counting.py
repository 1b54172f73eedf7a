"""Counts of a run of the suite: that every collected test ran, and the requests of `make fuzz`.

Only the process that reports counts; under xdist that is the controller. Two items with one id
collapse there: xdist runs one of them and calls the run a success.
"""

import os
from collections import Counter

import pytest


class Counting:
    def __init__(self):
        self.collected, self.ran, self.requests = [], Counter(), Counter()

    def pytest_collection_finish(self, session):
        self.collected = [item.nodeid for item in session.items]

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node, ids):
        self.collected = list(ids)

    def pytest_runtest_logreport(self, report):
        if report.when == "setup":
            self.ran[report.nodeid] += 1
        if report.when == "teardown":
            self.requests[report.nodeid] += dict(report.user_properties).get("requests", 0)

    def pytest_sessionfinish(self, session, exitstatus):
        if exitstatus == 0 and not session.config.option.collectonly and self.missed():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter):
        if +self.requests:
            terminalreporter.write_line(
                f"{sum(self.requests.values())} generated requests to {len(+self.requests)} "
                f"operations, FUZZ_SEED={os.environ.get('FUZZ_SEED', '0')}"
            )
        if self.missed():
            ran = sum(self.ran.values())
            terminalreporter.write_line(f"{len(self.collected)} tests collected, {ran} run:")
            for nodeid in sorted(self.missed()):
                terminalreporter.write_line(f"  {nodeid}")

    def missed(self):
        """How often each id was collected more often than run."""
        return Counter(self.collected) - self.ran
