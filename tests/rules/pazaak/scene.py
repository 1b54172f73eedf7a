"""Positions and decks of Pazaak in text, and moves played one after the other.

A board is its cards, oldest first: ``9`` a main card, ``-3:M3`` a side card with what it counts,
``10:5`` a main 5 that counts 10.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.predicates import MAIN_PACK, Board, Placed, total_of
from cardroom.rules.pazaak.side_cards import in_order
from cardroom.rules.pazaak.state import PazaakState, Phase, PlayerState
from cardroom.rules.shuffles import Shuffle, Stacked, seeded
from cardroom.rules.values import Event, IllegalMove, Setup, Step


def board(text: str) -> Board:
    return tuple(_placed(*token.partition(":")) for token in text.split())


def _placed(value: str, _: str, code: str) -> Placed:
    source = "side" if code and not code.isdigit() else "main"
    return Placed(source, code or value, int(value))


def half(
    cards: str = "",
    draws: str = "",
    hand: str = "",
    side: str = "",
    standing: bool = False,
    allowance: int | None = None,
) -> PlayerState:
    """One half of a table; ``draws`` are the next main cards, the others of the deck follow."""
    lying = board(cards)
    drawn = Counter(int(card.code) for card in lying if card.source == "main")
    return PlayerState(
        main=deck(draws, Counter(MAIN_PACK) - drawn),
        side=tuple(side.split()),
        hand=in_order(hand.split()),
        board=lying,
        total=total_of(lying),
        standing=standing,
        allowance=allowance,
    )


def deck(top: str, cards: Counter[int] | None = None, bottom: str = "") -> tuple[int, ...]:
    """A main deck that begins with ``top`` and ends with ``bottom``."""
    first, last = ([int(card) for card in part.split()] for part in (top, bottom))
    rest = (cards or Counter(MAIN_PACK)) - Counter(first) - Counter(last)
    return (*first, *sorted(rest.elements()), *last)


def scene(
    first: PlayerState,
    second: PlayerState | None = None,
    to_act: int = 0,
    phase: Phase = "turn_start",
    wins: tuple[int, int] = (0, 0),
    round_no: int = 1,
    starter: int = 0,
    preset: str | None = None,
    **options: object,
) -> PazaakState:
    return PazaakState(
        options=PAZAAK.choose_options(options, preset),
        halves=(first, second or half()),
        wins=wins,
        round_no=round_no,
        opener=starter,
        starter=starter,
        to_act=to_act,
        phase=phase,
    )


def play(state: PazaakState, *moves: str, shuffle: Shuffle | None = None) -> Step[PazaakState]:
    """Plays moves like ``"0 draw"`` (the seat may be left out: then it is the one to act)."""
    step = Step(state, ())
    events: list[Event] = []
    for text in moves:
        seat, _, move = text.rpartition(" ")
        mover = int(seat) if seat else step.state.to_act
        step = PAZAAK.play(step.state, mover, move, shuffle or seeded(Random(7)))
        events += step.events
    return Step(step.state, tuple(events), step.scores, step.move)


def start(
    decks: Sequence[Sequence[str | int]],
    sides: Sequence[str | None] = (None, None),
    bots: Sequence[str | None] = (None, None),
    **options: object,
) -> tuple[Step[PazaakState], Shuffle]:
    """A match dealt from ``decks`` (in the order they are asked for) and their shuffle."""
    shuffle = Stacked([[str(card) for card in deck] for deck in decks], str)
    setups = [
        Setup(name, bot, None if side is None else tuple(side.split()))
        for name, bot, side in zip(("Ann", "Bob"), bots, sides, strict=True)
    ]
    return PAZAAK.start(PAZAAK.choose_options(options), setups, shuffle), shuffle


def told(step: Step[PazaakState], kind: type[Event]) -> list[Event]:
    return [event for event in step.events if isinstance(event, kind)]


def values(state: PazaakState, seat: int) -> list[int]:
    return [card.value for card in state.halves[seat].board]


def refusal(state, move, error=IllegalMove, seat=0):
    with pytest.raises(error) as refused:
        PAZAAK.play(state, seat, move, list)
    assert str(refused.value).endswith(".")
    return refused.value.reason
