"""The codes that clients rely on, each with its status and title, are those of the fixture."""

from pathlib import Path

import msgspec

from config.api.problems import PROBLEMS

FILE = Path(__file__).parents[1] / "fixtures" / "problems.json"


def test_every_code_has_its_status_and_title():
    told = {code: {"status": kind.status, "title": kind.title} for code, kind in PROBLEMS.items()}
    assert told == msgspec.json.decode(FILE.read_bytes())
