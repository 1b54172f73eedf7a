"""Sentences at the table: the next act, the roles of seats, why a card may not be played."""

from collections.abc import Sequence

from cardroom.rules.text import CardName, Phrase, say
from cardroom.rules.values import Seat
from durak_cardroom.moves import TRANSFER
from durak_cardroom.view import DurakView


def is_defended(view: DurakView) -> bool:
    """A card is to be beaten now."""
    return len(view.attacks) > len(view.defences) and not view.taking


def to_be_beaten(view: DurakView) -> CardName:
    return CardName(view.attacks[len(view.defences)])


def to_do(view: DurakView, names: Sequence[str]) -> Phrase:
    """The possible acts of the seat that is to act."""
    defender = names[view.defender]
    if is_defended(view):
        may_pass_on = any(move.startswith(TRANSFER) for move in view.legal_moves)
        if may_pass_on:
            return say("Beat {card}, pass it on, or take.", card=to_be_beaten(view))
        return say("Beat {card}, or take.", card=to_be_beaten(view))
    if not view.attacks:
        return say("You attack {defender}: lay a card.", defender=defender)
    if view.taking:
        return say("{defender} takes. Throw in more, or be done.", defender=defender)
    return say("All is beaten. Throw in more, or be done.")


def going_on(view: DurakView, names: Sequence[str]) -> Phrase:
    attacker, defender = names[view.attacker], names[view.defender]
    if view.taking:
        return say("{defender} takes.", defender=defender)
    return say("{attacker} attacks {defender}.", attacker=attacker, defender=defender)


def why_not(view: DurakView) -> Phrase | None:
    """Why the other cards of the hand may not be played by the seat that is to act."""
    if not view.attacks:
        return None
    if is_defended(view):
        return say("This card does not beat {card}.", card=to_be_beaten(view))
    return say("No card of this rank lies on the table.")


def role(view: DurakView, seat: Seat) -> tuple[str, Phrase | None]:
    """The role of a seat in this attack, as a word for the style and one for the reader."""
    if view.places[seat]:
        return "out", say("out")
    if seat == view.defender:
        return ("takes", say("takes")) if view.taking else ("defends", say("defends"))
    if view.passed[seat]:
        return "done", say("done")
    if seat == view.attacker:
        return "attacks", say("attacks")
    return "", None
