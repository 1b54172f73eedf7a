"""Says how many sweeps a run left out, and the command that runs them.

A sweep (``pytest.mark.sweep``) tries every case of what a test beside it tries with a few. Under
xdist only the workers know what was not chosen; they send the number to the process that reports.
"""

from typing import Any

import pytest

LEFT_OUT = "sweeps left out"


class Sweeping:
    def __init__(self) -> None:
        self.left_out = 0

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self.left_out += sum(item.get_closest_marker("sweep") is not None for item in items)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[LEFT_OUT] = self.left_out

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Every worker left out the same ones; one that was killed says nothing."""
        output = getattr(node, "workeroutput", {})
        self.left_out = max(self.left_out, output.get(LEFT_OUT, 0))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.left_out:
            terminalreporter.write_line(f"{self.left_out} sweeps deselected; make sweeps runs them")
