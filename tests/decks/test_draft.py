"""A draft and its commands: every one is answered, every change can be undone."""

from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.pazaak.side_cards import CODES, DECK_SIZE, unknown_card
from decks.draft import COMMANDS, MOST_STEPS, Command, Draft, Edit
from tests.decks.conftest import PLUSES

FULL = Draft("Full", PLUSES)


def test_adding_says_which_card_and_goes_on_at_its_kind():
    edit = Draft("Mine", ("P1",)).apply(Command("add", "M2"))
    assert edit.draft == Draft("Mine", ("P1", "M2"), ("aM2",))
    assert (str(edit.message), edit.anchor) == ("−2 added. 2 of 10 cards.", "kind-minus")


def test_a_code_that_is_no_card_can_be_taken_out():
    edit = Draft("Mine", ("P1", "X9")).apply(Command("remove", "X9"))
    assert (edit.draft.cards, str(edit.message)) == (("P1",), "X9 taken out. 1 of 10 cards.")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (Command("add", "P1"), "The deck is full: take a card out before you add another."),
        (Command("add", "X9"), str(unknown_card("X9"))),
        (Command("remove", "T"), "That card is not in the deck."),
        (Command("undo"), "There is nothing to undo."),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(command, message):
    edit = FULL.apply(command)
    assert (edit.draft, str(edit.message), edit.refused) == (FULL, message, True)


@pytest.mark.parametrize("draft", [Draft(), FULL])
def test_no_button_pressed_changes_nothing(draft):
    assert draft.apply(Command.of({"name": "Mine"})) == Edit(draft, "")


def test_the_button_pressed_is_read_from_the_form():
    assert Command.of({"cards": "P1", "remove": "P1"}) == Command("remove", "P1")
    assert Command.of({"cards": "", "undo": "1"}).name == "undo"


COMMAND = st.builds(Command, st.sampled_from(COMMANDS), st.sampled_from(CODES))


@given(st.lists(COMMAND.filter(lambda command: command.name != "undo"), max_size=25))
def test_undo_leads_back_through_every_state(commands):
    drafts = [Draft("n")]
    for command in commands:
        edit = drafts[-1].apply(command)
        assert len(edit.draft.cards) <= DECK_SIZE
        if edit.draft != drafts[-1]:
            assert not edit.refused
            drafts.append(edit.draft)
    assert len(drafts) <= MOST_STEPS
    draft = drafts.pop()
    while drafts:
        query = urlencode(parse_qs(draft.query, keep_blank_values=True), doseq=True)
        assert query == draft.query
        draft = draft.apply(Command("undo")).draft
        assert draft == drafts.pop()
