"""Records that were written once verify for ever.

``tests/fixtures/records/<game>-<options>.jsonl`` has one record a line: finished, resigned from,
timed out, aborted, never started; loaded with the same cards and re-dealt, twice over, by several
seats, under seeds that are public and secret. Lines may be added; none is ever written again.
"""

from pathlib import Path

import msgspec
import pytest

from games.rules import record

FOLDER = Path(__file__).parents[1] / "fixtures" / "records"
LINES = [line for path in sorted(FOLDER.glob("*.jsonl")) for line in path.read_bytes().splitlines()]


@pytest.mark.parametrize("line", LINES, ids=lambda line: msgspec.json.decode(line)["match"])
def test_an_old_record_still_verifies(line):
    assert record.verify(line) is None
    assert record.write(record.read(line)) == line
