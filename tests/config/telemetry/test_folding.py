"""Faults of one kind are written once and then counted, a line a minute."""

import logging
import os

import pytest

from config.telemetry import logs
from config.telemetry.logs import Folding
from tests.patience import wait_until


@pytest.fixture
def log(monkeypatch):
    """A logger, what its handler wrote, and the filter."""
    monkeypatch.setattr(logs, "SECONDS", 3600.0)
    logger, said = logging.getLogger("tests.storm"), []
    monkeypatch.setattr(logger, "propagate", False)
    monkeypatch.setattr(logger, "level", logging.INFO)
    logger.manager._clear_cache()
    handler, fold = logging.Handler(), Folding()
    handler.emit = lambda record: said.append(record.getMessage())
    handler.addFilter(fold)
    logger.addHandler(handler)
    yield logger, said, fold
    logger.removeHandler(handler)
    fold._storms.clear()
    if fold._timer:
        fold._timer.cancel()


def test_a_storm_becomes_a_line_a_minute_with_a_number(log):
    logger, said, fold = log
    for number in range(5682):
        logger.error("No answer from %s", f"10.0.0.{number}")
    assert said == ["No answer from 10.0.0.0"]
    fold.tell()
    for _ in range(7):  # the storm goes on: no line but the count
        logger.error("No answer from %s", "10.0.0.1")
    fold.tell()
    fold.tell()
    assert said[1:] == [
        "No answer from 10.0.0.0 (5681 more like it)",
        "No answer from 10.0.0.0 (7 more like it)",
    ]
    fold.tell()
    logger.error("No answer from %s", "10.0.0.9")  # after a quiet minute it is news again
    assert said[3:] == ["No answer from 10.0.0.9"]


def test_every_match_that_went_back_is_named(log):
    """Issue 60, point 2: the log is the only list of them."""
    logger, said, _ = log
    for name in ("one", "other"):
        logger.error({"event": "version_went_back", "match": name})
    assert ["one" in said[0], "other" in said[1]] == [True, True]


def test_the_minute_ends_by_itself(log, monkeypatch):
    logger, said, fold = log
    monkeypatch.setattr(logs, "SECONDS", 0.05)
    with fold._lock:  # however long these three take
        for _ in range(3):
            logger.warning("Away")
    wait_until(lambda: len(said) > 1)
    assert said == ["Away", "Away (2 more like it)"]


def test_ids_and_names_in_a_sentence_make_no_other_kind(log):
    """Libraries write some of their values into the message itself."""
    logger, said, _ = log
    for number in range(20):
        logger.error(f"Task look[{number}a3f-77-b{number}] raised 'KeyError({number})'")  # noqa: G004
        logger.warning({"event": "looked", "n": number})
    assert len(said) == 2


def one_bug():
    return {}["a"]


def another_bug():
    return {}["a"]


def test_another_bug_is_another_kind(log):
    logger, said, _ = log
    for _ in range(3):
        for fault in (one_bug, another_bug):
            try:
                fault()
            except KeyError:
                logger.exception("Internal Server Error: %s", "/")
    assert len(said) == 2


def test_what_is_no_fault_is_not_touched(log):
    logger, said, _ = log
    for _ in range(20):
        logger.info("Looked")
    assert len(said) == 20


def test_a_forked_process_counts_for_itself(log):
    """It has no timer of its own yet, and what its parent counted is not its own."""
    logger, _, fold = log
    logger.error("Away")
    logger.error("Away")
    child = os.fork()
    if child == 0:
        os._exit(0 if fold._timer is None and not fold._storms else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert fold._timer is not None
