"""What the buttons of the bench do to a draft, each with a sentence that says so."""

from collections.abc import Mapping
from typing import NamedTuple

from decks.draft import Draft
from games.rules.pazaak.side_cards import CARD, DECK_SIZE


class Change(NamedTuple):
    draft: Draft
    said: str
    refused: bool = False
    place: str = "bench"  # where on the page to go on


def change(draft: Draft, pressed: Mapping[str, str]) -> Change:
    """The draft after the button that a form says was pressed; none changes nothing."""
    if "add" in pressed:
        return add(draft, pressed["add"])
    if "remove" in pressed:
        return remove(draft, pressed["remove"])
    if "undo" in pressed:
        return undo(draft)
    if "clear" in pressed and draft.cards:
        return Change(draft.clear(), "All cards taken out. Undo brings them back.")
    return Change(draft, "")


def add(draft: Draft, code: str) -> Change:
    if code not in CARD:
        return Change(draft, "There is no such card.", refused=True)
    place = f"kind-{CARD[code].kind}"
    if not draft.missing:
        said = "The deck is full: take a card out before you add another."
        return Change(draft, said, refused=True, place=place)
    after = draft.add(code)
    return Change(after, f"{CARD[code].name} added. {counted(after)}", place=place)


def remove(draft: Draft, code: str) -> Change:
    if code not in draft.cards:
        return Change(draft, "That card is not in the deck.", refused=True)
    after = draft.remove(code)
    name = CARD[code].name if code in CARD else code
    return Change(after, f"{name} taken out. {counted(after)}")


def undo(draft: Draft) -> Change:
    if not draft.steps:
        return Change(draft, "There is nothing to undo.", refused=True)
    after = draft.undo()
    return Change(after, f"Undone. {counted(after)}")


def counted(draft: Draft) -> str:
    return f"{len(draft.cards)} of {DECK_SIZE} cards."
