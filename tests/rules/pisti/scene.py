"""Positions of Pişti in text, and moves played one after the other.

A pile is bottom to top; what a scene does not name lies in the stock, in canonical order.
"""

from collections.abc import Iterable, Sequence
from random import Random

from cardroom.rules.cards import pack, parse, texts
from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.events import DealScored
from cardroom.rules.pisti.options import starter_of
from cardroom.rules.pisti.predicates import cards_of, heap_of
from cardroom.rules.pisti.state import PistiState
from cardroom.rules.shuffles import Shuffle, Stacked, seeded
from cardroom.rules.values import Event, Setup, Step

NAMES = ("Ada", "Ben", "Cleo", "Dora")


def options(preset: str | None = None, **values):
    return PISTI.choose_options(values, preset)


def scene(
    pile: str = "",
    hands: Sequence[str] = ("", ""),
    to_play: int = 0,
    plays_made: int = 10,
    heaps: Sequence[str] = (),
    deal_no: int = 1,
    face_down: int = 0,
    last_capturer: int | None = None,
    totals: Sequence[int] | None = None,
    pistis: Sequence[int] | None = None,
    doubles: Sequence[int] | None = None,
    stock: str | None = None,
    bottom: str | None = None,
    **values,
) -> PistiState:
    chosen = options(players=len(hands), **values)
    nothing = (0,) * len(PISTI.sides_of(chosen))
    won = [parse(heap) for heap in heaps] or [()] * len(hands)
    named = [*parse(pile), *(card for cards in map(parse, hands) for card in cards)]
    named += [card for heap in won for card in heap]
    assert len(set(named)) == len(named), "a card lies in two places"
    starter = starter_of(chosen, deal_no)
    return PistiState(
        options=chosen,
        deal_no=deal_no,
        dealer=(starter - 1) % len(hands),
        to_play=to_play,
        plays_made=plays_made,
        stock=tuple(c for c in pack(52) if c not in named) if stock is None else parse(stock),
        pile=parse(pile),
        face_down=face_down,
        hands=tuple(map(parse, hands)),
        heaps=tuple(map(heap_of, won)),
        pistis=tuple(pistis or nothing),
        doubles=tuple(doubles or nothing),
        totals=tuple(totals or nothing),
        last_capturer=last_capturer,
        bottom=None if bottom is None else parse(bottom)[0],
    )


def last_play(pile: str, card: str, heaps: Sequence[str] = (), **facts) -> PistiState:
    """The dealer is about to play the 48th card, with nothing in any other hand."""
    players = facts.pop("players", 2)
    hands = [""] * (players - 1) + [card]
    return scene(pile, hands, to_play=players - 1, plays_made=47, heaps=heaps, stock="", **facts)


def play(state: PistiState, *moves: str, shuffle: Shuffle | None = None) -> Step[PistiState]:
    """The step after the last of these moves, each ``"0 7H"``."""
    steps = steps_of(state, *moves, shuffle=shuffle)
    return steps[-1]


def steps_of(state, *moves: str, shuffle: Shuffle | None = None) -> list[Step[PistiState]]:
    shuffle = shuffle or seeded(Random(1))
    steps = []
    for move in moves:
        seat, _, card = move.partition(" ")
        steps.append(PISTI.play(state, int(seat), card, shuffle))
        state = steps[-1].state
    return steps


def deck(first: str, last: str = "") -> tuple[str, ...]:
    """A pack that begins and ends with these cards, the others in canonical order."""
    ends = set(first.split()) | set(last.split())
    rest = [code for code in texts(pack(52)) if code not in ends]
    return (*first.split(), *rest, *last.split())


def start(*decks: Sequence[str], **values) -> Step[PistiState]:
    return PISTI.start(options(**values), SETUPS, stacked(*decks))


def stacked(*decks: Sequence[str]) -> Stacked:
    return Stacked(decks, PISTI.card_text)


def told(step: Step[PistiState] | Iterable[Event], kind: type[Event]) -> list:
    events = step.events if isinstance(step, Step) else step
    return [event for event in events if type(event) is kind]


def scores(step: Step[PistiState]) -> DealScored:
    (scored,) = told(step, DealScored)
    return scored


def codes(cards: Iterable[int]) -> str:
    return " ".join(texts(cards))


def heap(state: PistiState, seat: int) -> set[str]:
    return set(texts(cards_of(state.heaps[seat])))


SETUPS = tuple(Setup(name) for name in NAMES)
