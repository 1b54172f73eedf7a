"""A refusal is declared once: its code, status, title and sentence."""

import pytest
from django.utils.translation import override

from cardroom.rules.text import CardName, one_after_the_other, say
from config.api.errors import problem_document
from config.refusals import NotFound, Refusal
from config.words import sentence_of, sentences


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


def test_a_phrase_is_english_until_a_door_renders_it():
    missing = say("You do not hold {card}; you hold {hand}.", card=CardName("TD"), hand="7♥")
    faults = [missing, "Not in the catalogue, {braces} and all."]
    refusal = NotFound(one_after_the_other(faults), faults=faults, legal=[{"label": missing}])
    english = "You do not hold 10♦; you hold 7♥. Not in the catalogue, {braces} and all."
    assert str(refusal) == english
    with override("tr"):
        assert sentence_of(NotFound(missing)) == "10♦ sende yok; elindekiler: 7♥."
        assert sentence_of(refusal) == english  # never half: a part has no translation
        assert sentences(refusal) == [sentence_of(NotFound(fault)) for fault in faults]
        document = problem_document(refusal)
    assert document["faults"][0] == document["legal"][0]["label"]
    assert document["detail"] == english
