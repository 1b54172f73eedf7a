"""``beginner``: a person at the first table. It takes what it sees, and does not see everything.

It wins 38 of 100 matches against a newcomer who reads the table, and 41 against ``greedy``:

    manage.py arena pisti beginner tests.strength.newcomers:PISTI --matches 4000 --seed 1
    manage.py arena pisti beginner greedy --matches 4000 --seed 1

The classic computer player of small programs; stronger bots are measured against it.

The counting bot: it remembers every card seen and weighs every play one ply deep.

A play is worth what it captures now, less what the next seat is likely to take in reply, plus
what the seat after that (with two seats this one again, in teams the partner) may take then.
Points are those of the rules; only the three constants are judgement, tuned against ``greedy``.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import Bot, Growth
from cardroom.rules.cards import CARD, JACK, RANK, RANKS
from cardroom.rules.pisti.events import (
    Captured,
    CardPlayed,
    CentreDealt,
    DealStarted,
    HandDealt,
    JackBuried,
    Redeal,
)
from cardroom.rules.pisti.knowledge import knowledge_of
from cardroom.rules.pisti.options import PistiOptions
from cardroom.rules.pisti.predicates import (
    NO_BONUS,
    PACK,
    SINGLE,
    bonus,
    captures,
    card_points,
    is_jack,
)
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.values import Event, Move, Seat

# Inferences about the others' hands by counting: unseen cards, refusals, chances.

_RANK_OF: Final = {letter: rank for rank, letter in enumerate(RANKS)}
_RANKS: Final = 13
_SUITS: Final = 4


def unseen_by_rank(seen: Iterable[int]) -> list[int]:
    """How many cards of each rank could still be anywhere."""
    unseen = [_SUITS] * _RANKS
    for card in seen:
        unseen[RANK[card]] -= 1
    return unseen


def holds(count: int, unseen: int, hand_size: int) -> float:
    """The chance that a hand drawn from ``unseen`` cards has at least one of ``count`` of them."""
    lacks = 1.0
    for drawn in range(min(hand_size, unseen)):
        lacks *= max(0, unseen - count - drawn) / (unseen - drawn)
    return 1.0 - lacks


def rank_chances(unseen: Sequence[int], refused: set[int], hand_size: int) -> list[float]:
    """By rank, the chance that an unknown hand of this size holds it."""
    possible = [0 if rank in refused else count for rank, count in enumerate(unseen)]
    total = sum(possible)
    by_count = [holds(count, total, hand_size) for count in range(_SUITS + 1)]
    return [by_count[count] for count in possible]


def refused_ranks(events: Sequence[Event], players: int) -> list[set[int]]:
    """By seat, the ranks it let lie since it was last dealt cards: hardly still in its hand."""
    refused: list[set[int]] = [set() for _ in range(players)]
    top: int | None = None
    for event in events:
        match event:
            case CardPlayed():
                rank = _RANK_OF[event.card[0]]
                _note_refusal(refused, event.seat, rank, top)
                top = rank
            case HandDealt():
                refused[event.seat].clear()
            case Captured() | DealStarted() | Redeal():
                top = None
            case CentreDealt() | JackBuried():
                top = _RANK_OF[event.top[0]]
    return refused


def _note_refusal(refused: list[set[int]], seat: Seat, rank: int, top: int | None) -> None:
    if top is not None and rank not in (top, JACK):
        refused[seat].add(top)


def choose_greedy(view: PistiView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    """Captures by rank; else opens with its first plain card; else plays its last, jack or not."""
    hand = view.legal_moves
    if view.top is None:
        wanted = [card for card in hand if card[0] not in "JA"]
    else:
        wanted = [card for card in hand if card[0] == view.top[0]]
    return wanted[0] if wanted else hand[-1]


GREEDY: Final = Bot(
    slug="greedy",
    name="Greedy",
    summary="Captures by rank whenever it can and otherwise plays what comes.",
    level=2,
    choose=choose_greedy,
)

_POINTS: Final = [card_points(1 << card) for card in PACK]
_MAJORITY_OVER: Final = 18  # each card takes this part of the majority's points
_TEMPO: Final = 2.0  # to leave the other side an empty table, where it has to lay a single card
_KEPT_JACK: Final = 1.0  # a jack still in hand, for a fatter pile
_JACK_PILE: Final = 3.0  # the pile for which every other player spends a jack


class PlayEvaluator:
    """One decision: what lies there, what may be in the other hands."""

    def __init__(self, view: PistiView, seat: Seat, events: Sequence[Event]) -> None:
        knowledge = knowledge_of(view, events)
        players, sides = len(view.hand_sizes), len(view.totals)
        self.options = view.options
        self.card_share = view.options.majority_points / _MAJORITY_OVER
        self.hand = [CARD[code] for code in view.hand]
        self.top = knowledge.pile[-1] if knowledge.pile else None
        self.pile_size = len(knowledge.pile)
        self.pile_worth = self._pile_worth(knowledge.pile, knowledge.seen)
        self.unseen = unseen_by_rank(knowledge.seen)
        refused = refused_ranks(events, players)
        after, third = (seat + 1) % players, (seat + 2) % players
        self.reply = rank_chances(self.unseen, refused[after], view.hand_sizes[after])
        self.rival_share = 1 / (sides - 1)  # so much of a rival's gain is lost to this side
        self.third_sign = 1.0 if third % sides == seat % sides else -self.rival_share
        self.third = (
            None
            if third == seat
            else rank_chances(self.unseen, refused[third], view.hand_sizes[third])
        )
        self.tempo = _TEMPO if sides == 2 else 0.0

    def weigh(self, card: int) -> float:
        rest = [kept for kept in self.hand if kept != card]
        kept_jacks = _KEPT_JACK * sum(map(is_jack, rest))
        if self.top is not None and captures(card, self.top):
            return self._capture(card, self.top, rest) + kept_jacks
        return self._lay(card, rest) + kept_jacks

    def _worth(self, card: int) -> float:
        return _POINTS[card] + self.card_share

    def _pile_worth(self, pile: Sequence[int | None], seen: set[int]) -> float:
        hidden = [self._worth(card) for card in PACK if card not in seen]
        average = sum(hidden) / max(1, len(hidden))
        return sum(average if card is None else self._worth(card) for card in pile)

    def _capture(self, card: int, top: int, rest: Sequence[int]) -> float:
        """The pile and its bonus; the next seat then lays a single card, bait for a pişti."""
        kind = bonus(card, top, self.pile_size)
        won = self.pile_worth + self._worth(card) + _bonus_points(self.options, kind)
        return won + self.third_sign * self._matches(rest) * self.options.pisti_points

    def _lay(self, card: int, rest: Sequence[int]) -> float:
        """The worth of laying a card: the pile left to take, less what the next seat takes."""
        pile = self.pile_worth + self._worth(card)
        by_rank = self.reply[RANK[card]]
        by_jack = 0.0
        if not is_jack(card):
            by_jack = (1 - by_rank) * self.reply[JACK] * pile / (pile + _JACK_PILE)
        bait = _bonus_points(self.options, bonus(card, card, self.pile_size + 1))
        lost = by_rank * (pile + self._worth(card) + bait + self.tempo)
        lost += by_jack * (pile + self._worth_of_jack() + self.tempo)
        left = (1 - by_rank - by_jack) * (pile + self.card_share + self.tempo)
        return self.third_sign * self._takes(rest) * left - self.rival_share * lost

    def _worth_of_jack(self) -> float:
        return 1.0 + self.card_share

    def _matches(self, rest: Sequence[int]) -> float:
        """The chance that the seat after next has the rank of an unknown card just laid."""
        unseen = self.unseen
        total = max(1, sum(unseen) - unseen[JACK])
        if self.third is None:
            return sum(unseen[rank] for rank in {RANK[card] for card in rest} - {JACK}) / total
        return sum(count * has for count, has in zip(unseen, self.third, strict=True)) / total

    def _takes(self, rest: Sequence[int]) -> float:
        """The same for any capture, jacks included."""
        has_jack = float(any(map(is_jack, rest))) if self.third is None else self.third[JACK]
        return has_jack + (1 - has_jack) * self._matches(rest)


def _bonus_points(options: PistiOptions, kind: int) -> int:
    if kind == NO_BONUS:
        return 0
    return options.pisti_points if kind == SINGLE else options.double_pisti_points


def choose_counter(view: PistiView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    if len(view.legal_moves) == 1:
        return view.legal_moves[0]
    evaluator = PlayEvaluator(view, view.to_act[0], events)
    return max(view.legal_moves, key=lambda code: evaluator.weigh(CARD[code]))


COUNTER: Final = Bot(
    slug="counter",
    name="Counter",
    summary="Remembers every card and weighs what it takes against what it leaves to the others.",
    level=4,
    choose=choose_counter,
    remembers="round",
)

SEES: Final = 0.85  # a card that matches the top one
DARES: Final = 0.45  # to spend a jack on a pile


def choose_beginner(view: PistiView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    """A capture by rank or by a jack if it comes to mind, else any card but a jack."""
    hand, top = view.legal_moves, view.top
    matching = [card for card in hand if top is not None and card[0] == top[0]]
    if matching and rng.random() < SEES:
        return matching[0]
    jacks = [card for card in hand if card[0] == "J"]
    if jacks and top is not None and rng.random() < DARES:
        return jacks[0]
    return rng.choice([card for card in hand if card not in jacks] or jacks)


BEGINNER: Final = Bot(
    slug="beginner",
    name="Beginner",
    summary="Takes what it sees, but does not see everything.",
    level=1,
    choose=choose_beginner,
    growth=Growth(COUNTER, (0.0, 0.3, 0.5, 0.7, 0.9)),
)
