"""The codes that clients rely on, each with its status and title, are those of the fixture."""

import config.urls  # noqa: F401 - it imports every module that declares a refusal
from config.refusals import Refusal
from tests.recorded import FIXTURES, agrees, laid_out


def test_every_code_has_its_status_and_title():
    told = {
        code: {"status": kind.status, "title": kind.title} for code, kind in Refusal.by_code.items()
    }
    agrees(FIXTURES / "problems.json", laid_out(dict(sorted(told.items()))) + "\n")
