"""Moves as text (RULES.md §3), and why one is refused."""

from typing import Final, NamedTuple

from cardroom.rules.cards import CARD, TEXT
from cardroom.rules.text import CardName, Phrase, say
from cardroom.rules.values import Card, IllegalMove, MalformedMove, Move, NotYourTurn, Seat
from durak_cardroom.predicates import beats, by_strength, fits, suit
from durak_cardroom.state import DurakState
from durak_cardroom.turns import may_transfer, to_act, to_be_beaten

TAKE: Final = "take"
PASS: Final = "pass"  # noqa: S105 - no password
TRANSFER: Final = "transfer"


class Choice(NamedTuple):
    """``kind`` is "card" or one of the words; ``card`` is -1 where none is played."""

    kind: str
    card: Card


def parsed(move: Move) -> Choice:
    """Raises ``MalformedMove``."""
    if move in (TAKE, PASS):
        return Choice(move, -1)
    kind, space, code = move.rpartition(" ")
    if kind != TRANSFER * len(space) or code not in CARD:
        raise MalformedMove(
            "not_a_move",
            say("A move is a card, such as 7H, or transfer and a card, or take, or pass."),
        )
    return Choice(kind or "card", CARD[code])


def legal_moves(state: DurakState, seat: Seat) -> tuple[Move, ...]:
    """The cards that may be played, the weakest first, then transfers, then the word."""
    if seat not in to_act(state):
        return ()
    hand = by_strength(state.hands[seat], suit(state.trump))
    cards = tuple([TEXT[card] for card in hand if why_not(state, card) is None])
    if to_be_beaten(state) is not None:
        return (*cards, *_transfers(state, hand), TAKE)
    return (*cards, PASS) if state.attacks else cards


def _transfers(state: DurakState, hand: tuple[Card, ...]) -> list[Move]:
    if not may_transfer(state):
        return []
    return [f"{TRANSFER} {TEXT[card]}" for card in hand if fits(card, state.attacks)]


def why_not(state: DurakState, card: Card) -> IllegalMove | None:
    """Why a card of its hand may not be played by the seat that is to act."""
    other = to_be_beaten(state)
    if other is not None:
        return None if beats(card, other, suit(state.trump)) else _does_not_beat(card, other)
    if not state.attacks or fits(card, (*state.attacks, *state.defences)):
        return None  # R7, R10
    return IllegalMove("wrong_rank", say("No card of this rank lies on the table."))


def _does_not_beat(card: Card, other: Card) -> IllegalMove:
    names = CardName(TEXT[card]), CardName(TEXT[other])
    sentence = say("{card} does not beat {other}.", card=names[0], other=names[1])
    return IllegalMove("does_not_beat", sentence)


def checked(state: DurakState, seat: Seat, move: Move) -> Choice:
    """The move as it may be made now; raises ``MoveRefused``."""
    choice = parsed(move)
    if seat not in to_act(state):
        raise NotYourTurn
    refused = _refusal(state, seat, choice)
    if refused is not None:
        raise refused
    return choice


def _refusal(state: DurakState, seat: Seat, choice: Choice) -> IllegalMove | None:
    if choice.kind == PASS:
        return _why_not_pass(state)
    if choice.kind == TAKE:
        return None if to_be_beaten(state) is not None else _not_the_defender(state)
    if choice.card not in state.hands[seat]:
        return IllegalMove("not_in_hand", say("You do not hold this card."))
    if choice.kind == TRANSFER:
        return _why_not_transfer(state, choice.card)
    return why_not(state, choice.card)


def _why_not_pass(state: DurakState) -> IllegalMove | None:
    if not state.attacks:
        return IllegalMove("must_attack", say("You attack: lay a card."))
    if to_be_beaten(state) is not None:
        return IllegalMove("must_attack", say("You defend: beat the card or take it."))
    return None


def _not_the_defender(state: DurakState) -> IllegalMove:
    sentence: Phrase = say("Only the defender takes, while a card is to be beaten.")
    return IllegalMove("is_taken" if state.taking else "not_the_defender", sentence)


def _why_not_transfer(state: DurakState, card: Card) -> IllegalMove | None:
    if to_be_beaten(state) is None or not may_transfer(state):
        return IllegalMove("no_transfer", say("The attack cannot be passed on now."))
    if not fits(card, state.attacks):
        return IllegalMove(
            "no_transfer", say("An attack is passed on with a card of the same rank.")
        )
    return None
