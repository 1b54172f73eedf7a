"""A burst of equal lines is written five times and then counted."""

import logging

import pytest

from config.monitoring import folding
from config.monitoring.folding import WRITTEN, Folding


@pytest.fixture
def log(monkeypatch):
    """A logger, what its handler wrote, and the filter."""
    monkeypatch.setattr(folding, "SECONDS", 3600.0)
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
    fold._bursts.clear()
    if fold._timer:
        fold._timer.cancel()


def test_a_storm_becomes_a_few_lines_and_a_number(log):
    logger, said, fold = log
    for number in range(5682):
        logger.error("No answer from %s", f"10.0.0.{number}")
    assert len(said) == WRITTEN
    fold.end()
    assert said[-1] == "No answer from 10.0.0.0 (5677 more like it)"
    logger.error("No answer from %s", "10.0.0.1")
    assert len(said) == WRITTEN + 2  # the next burst begins


def test_other_lines_are_not_touched(log):
    logger, said, _ = log
    for number in range(20):
        logger.error(f"No answer {number}")  # noqa: G004 - another message each time
        logger.info("Looked")
        logger.warning({"event": "looked", "n": number})
    assert len(said) == 20 + 20 + WRITTEN
