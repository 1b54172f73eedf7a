"""A refusal is declared once: its code, status, title and sentence."""

import pytest

from config.refusals import NotFound, Refusal


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setattr(Refusal, "by_code", dict(Refusal.by_code))


def test_the_class_says_everything():
    class TableTooSmall(Refusal, status=409):
        """The table is too small."""

    refusal = TableTooSmall()
    assert (refusal.status, refusal.code, refusal.title) == (
        409,
        "table_too_small",
        "Table too small",
    )
    assert str(refusal) == "The table is too small."
    assert str(TableTooSmall("It seats four.")) == "It seats four."
    assert Refusal.by_code["table_too_small"] is TableTooSmall


def test_a_subclass_without_a_status_inherits_its_code():
    class NoSuchTable(NotFound):
        """There is no such table."""

    assert (NoSuchTable.status, NoSuchTable.code, NoSuchTable.title) == (
        404,
        "not_found",
        "Not found",
    )
    assert str(NoSuchTable()) == "There is no such table."


def test_the_same_code_declared_differently_is_an_error():
    class TableTooSmall(Refusal, status=409):
        """The table is too small."""

    with pytest.raises(TypeError, match="table_too_small"):

        class Other(Refusal, status=422, code="table_too_small"):
            """The table is too small."""


def test_every_fault_is_a_sentence():
    assert NotFound("Gone.").sentences == ["Gone."]
    assert NotFound("A. B.", faults=["A.", "B."]).sentences == ["A.", "B."]
