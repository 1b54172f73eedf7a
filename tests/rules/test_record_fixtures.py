"""Records that were written once verify for ever.

``tests/fixtures/records/<game>-<options>.jsonl`` has one record a line: finished, resigned from,
timed out, aborted, never started; loaded with the same cards and re-dealt, twice over, by several
seats, under seeds that are public and secret. Lines may be added; none is ever written again.
"""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardroom.rules import record

FOLDER = Path(__file__).parents[1] / "fixtures" / "records"
LINES = [line for path in sorted(FOLDER.glob("*.jsonl")) for line in path.read_bytes().splitlines()]


def param_of(number: int, line: bytes) -> Any:
    """Every fourth record in `make test`, all of them in `make sweeps`."""
    marks = pytest.mark.sweep if number % 4 else ()
    return pytest.param(line, id=msgspec.json.decode(line)["match"], marks=marks)


@pytest.mark.parametrize("line", [param_of(*each) for each in enumerate(LINES)])
def test_an_old_record_still_verifies(line):
    assert record.verify(line) is None
    assert record.write(record.read(line)) == line
