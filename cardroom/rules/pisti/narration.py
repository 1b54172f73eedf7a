"""Pişti in words: a move as a button says it, an event as the table tells it.

Phrases of players at the table. The slugs are stored and sent, so they stay.

The causes of points, sure points, hints for a beginner, and the moments of a match.

Facts of the rules for people who look on: computed from a view and from events as one seat may
know them, so nothing secret can come out.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Final

from cardroom.rules.cards import CARD
from cardroom.rules.pisti.events import (
    Captured,
    CardPlayed,
    CentreDealt,
    DealScored,
    DealStarted,
    HandDealt,
    JackBuried,
    LeftoverAwarded,
    MatchOver,
    Pisti,
    Redeal,
    SideScore,
)
from cardroom.rules.pisti.knowledge import Knowledge, knowledge_of
from cardroom.rules.pisti.options import PistiOptions
from cardroom.rules.pisti.predicates import PACK, bonus, captures, card_points, heap_of, is_jack
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.text import (
    CardName,
    Listing,
    Phrase,
    Value,
    Words,
    card_names,
    counted,
    joined,
    say,
    say_n,
)
from cardroom.rules.values import Cause, Event, Move, Seat


def label(move: Move) -> Phrase:
    return say("Play {card}", card=CardName(move))


def narrate(event: Event, names: Sequence[str]) -> Phrase:  # noqa: C901 - one case an event
    """One sentence that tells no more than the event does; ``names`` by seat."""
    match event:
        case DealStarted():
            deals = say("{seat} deals", you="you deal", seat=names[event.dealer])
            starts = say("{seat} starts", you="you start", seat=names[event.starter])
            return say("Deal {n}: {deals}, {starts}.", n=event.deal_no, deals=deals, starts=starts)
        case HandDealt():
            return _hand_dealt(event, names[event.seat])
        case CentreDealt():
            cards, top = counted(event.count), CardName(event.top)
            return say("{cards} lie in the centre, {top} on top.", cards=cards, top=top)
        case JackBuried():
            jack, top = CardName(event.card), CardName(event.top)
            return say("{jack} goes under the pile; {top} is turned up.", jack=jack, top=top)
        case Redeal():
            return say("Four jacks lie in the centre: the cards are dealt again.")
        case CardPlayed():
            return say(
                "{seat} plays {card}.",
                you="You play {card}.",
                seat=names[event.seat],
                card=CardName(event.card),
            )
        case Captured():
            return _captured(event, names[event.seat])
        case Pisti():
            return _pisti(event, names[event.seat])
        case LeftoverAwarded():
            return say_n(
                "The last card goes to {seat}.",
                "The last {n} cards go to {seat}.",
                event.count,
                you=("The last card goes to you.", "The last {n} cards go to you."),
                seat=names[event.seat],
            )
        case DealScored():
            return _deal_scored(event, names)
        case MatchOver():
            return _match_over(event, names)
    raise TypeError(f"{type(event).__name__} is not an event of Pişti.")


def _hand_dealt(event: HandDealt, seat: str) -> Phrase:
    count = counted(event.count)
    if not event.cards:
        return say("{seat} gets {count}.", you="You get {count}.", seat=seat, count=count)
    shown = card_names(event.cards, separator=" ")
    return say(
        "{seat} gets {count}: {cards}.",
        you="You get {count}: {cards}.",
        seat=seat,
        count=count,
        cards=shown,
    )


def _captured(event: Captured, seat: str) -> Phrase:
    count = counted(event.count)
    if not event.face_down:
        return say("{seat} captures {count}.", you="You capture {count}.", seat=seat, count=count)
    shown = card_names(event.face_down, separator=" ")
    return say(
        "{seat} captures {count}; face down lay {cards}.",
        you="You capture {count}; face down lay {cards}.",
        seat=seat,
        count=count,
        cards=shown,
    )


def _pisti(event: Pisti, seat: str) -> Phrase:
    if event.kind == "double":
        return say_n(
            "{seat} makes a double pişti: {n} point.",
            "{seat} makes a double pişti: {n} points.",
            event.points,
            you=("You make a double pişti: {n} point.", "You make a double pişti: {n} points."),
            seat=seat,
        )
    return say_n(
        "{seat} makes a pişti: {n} point.",
        "{seat} makes a pişti: {n} points.",
        event.points,
        you=("You make a pişti: {n} point.", "You make a pişti: {n} points."),
        seat=seat,
    )


def _deal_scored(event: DealScored, names: Sequence[str]) -> Phrase:
    scores = [
        say(
            "{side} {points} (now {total})",
            side=_side(number, len(event.sides), names),
            points=side.deal_points,
            total=side.total,
        )
        for number, side in enumerate(event.sides)
    ]
    return say("The deal is scored: {sides}.", sides=Listing(tuple(scores)))


def _match_over(event: MatchOver, names: Sequence[str]) -> Phrase:
    totals = _totals(event)
    if event.winner is None:
        return say("The match is over, {totals}: a draw.", totals=totals)
    sides = len(event.totals)
    return say_n(
        "{winners} wins the match, {totals}.",
        "{winners} win the match, {totals}.",
        len(names) // sides,
        winners=_side(event.winner, sides, names),
        totals=totals,
    )


def _side(side: int, sides: int, names: Sequence[str]) -> Listing:
    """The players of a side: ``Ada and Cleo``."""
    return joined(names[side::sides])


def _totals(event: MatchOver) -> Value:
    """The best first: ``155 to 120``."""
    ordered: list[Value] = [*sorted(event.totals, reverse=True)]
    return reduce(lambda more, total: say("{more} to {total}", more=more, total=total), ordered)


PHRASES: Final[Mapping[str, Phrase]] = {
    "pisti": say("Pişti!"),
    "jack_takes_all": say("A jack takes it all."),
    "i_counted": say("I have counted the cards."),
    "what_a_pile": say("What a pile!"),
}


def causes(score: SideScore, options: PistiOptions) -> list[Cause]:
    """The causes of a side's points in a deal (R23 to R25); their sum is ``deal_points``."""
    all_causes = [
        Cause(say_n("{n} jack", "{n} jacks", score.jacks), score.jacks),
        Cause(say_n("{n} ace", "{n} aces", score.aces), score.aces),
        Cause(say("{card}", card=CardName("2C")), 2 * score.two_clubs),
        Cause(say("{card}", card=CardName("TD")), 3 * score.ten_diamonds),
        Cause(counted(score.cards), options.majority_points * score.majority),
        Cause(_times(say("pişti"), score.pistis), options.pisti_points * score.pistis),
        Cause(
            _times(say("double pişti"), score.doubles),
            options.double_pisti_points * score.doubles,
        ),
    ]
    return [cause for cause in all_causes if cause.points]


def _times(what: Phrase, n: int) -> Words:
    return what if n == 1 else say("{n} × {what}", n=n, what=what)


def match_causes(events: Iterable[Event], options: PistiOptions) -> list[list[Cause]]:
    """The causes of each side's points in all deals (R23 to R25)."""
    deals = [event.sides for event in events if isinstance(event, DealScored)]
    return [_together(list(side), options) for side in zip(*deals, strict=True)]


def _together(scores: Sequence[SideScore], options: PistiOptions) -> list[Cause]:
    jacks, aces = sum(each.jacks for each in scores), sum(each.aces for each in scores)
    singles, doubles = sum(each.pistis for each in scores), sum(each.doubles for each in scores)
    twos, tens = sum(each.two_clubs for each in scores), sum(each.ten_diamonds for each in scores)
    most = sum(each.majority for each in scores)
    every_cause = [
        Cause(_times(say("pişti"), singles), options.pisti_points * singles),
        Cause(_times(say("double pişti"), doubles), options.double_pisti_points * doubles),
        Cause(_times(say("most cards"), most), options.majority_points * most),
        Cause(say_n("{n} jack", "{n} jacks", jacks), jacks),
        Cause(say_n("{n} ace", "{n} aces", aces), aces),
        Cause(_times(say("{card}", card=CardName("TD")), tens), 3 * tens),
        Cause(_times(say("{card}", card=CardName("2C")), twos), 2 * twos),
    ]
    return [cause for cause in every_cause if cause.points]


def match_point(options: PistiOptions, scores: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The sides that one deal may bring to the target without any pişti (R23, R24)."""
    if options.target_score is None:
        return ()
    missing = options.target_score - card_points(heap_of(PACK)) - options.majority_points
    totals = [sum(made) for made in zip(*scores, strict=True)]
    return tuple(side for side, total in enumerate(totals) if total >= missing)


def sure_points(view: PistiView, events: Sequence[Event]) -> tuple[int, ...]:
    """The points of the running deal that each side has for certain, as a seat may know.

    Piştis and the single cards in its heaps; who has most cards is open until the end (R24).
    """
    known = knowledge_of(view, events)
    return tuple(_sure(view, known, side) for side in range(len(view.totals)))


def _sure(view: PistiView, known: Knowledge, side: int) -> int:
    options = view.options
    seen = [card for seat in view.sides[side] for card in known.heaps[seat] if card is not None]
    singles = options.pisti_points * view.pistis[side]
    return card_points(heap_of(seen)) + singles + options.double_pisti_points * view.doubles[side]


def hint(view: PistiView) -> Words | None:
    """A hint for a beginner about the own hand; ``None`` when it is not to play."""
    if not view.legal_moves:
        return None
    if view.top is None:
        return say("The table is empty: whatever you play, a card of the same rank takes it.")
    taking = [code for code in view.hand if captures(CARD[code], CARD[view.top])]
    if not taking:
        return say(
            "No card of yours takes {card}: play one you do not need.", card=CardName(view.top)
        )
    return _taking(view, min(taking, key=lambda code: is_jack(CARD[code])))


def _taking(view: PistiView, code: str) -> Words:
    top, card = CARD[view.top or ""], CardName(code)
    if view.pile_size is None:
        return say("{card} would take the pile.", card=card)
    if bonus(CARD[code], top, view.pile_size):
        return say("{card} would be a pişti!", card=card)
    return say_n(
        "{card} would take {n} card.", "{card} would take {n} cards.", view.pile_size, card=card
    )


def moments(events: Iterable[Event], names: Sequence[str]) -> list[Words]:
    """The best of a match: every double pişti, the most piştis, the largest capture."""
    made = [0] * len(names)
    largest, taker, card, by, deal = 0, 0, "", "", 0
    sentences: list[Words] = []
    for event in events:
        match event:
            case DealStarted():
                deal = event.deal_no
            case CardPlayed():
                card = event.card
            case Pisti():
                made[event.seat] += 1
                if event.kind == "double":
                    sentences.append(_double(names[event.seat], deal))
            case Captured() if event.count > largest:
                largest, taker, by = event.count, event.seat, card
    return [*sentences, *_most(made, names), *_largest(largest, taker, by, names)]


def _double(seat: str, deal: int) -> Phrase:
    return say(
        "{seat} made a double pişti in deal {deal}.",
        you="You made a double pişti in deal {deal}.",
        seat=seat,
        deal=deal,
    )


def _most(made: Sequence[int], names: Sequence[str]) -> list[Words]:
    most: Seat = max(range(len(made)), key=made.__getitem__)
    if not made[most]:
        return []
    return [
        say_n(
            "{seat} made {n} pişti.",
            "{seat} made {n} piştis.",
            made[most],
            you=("You made {n} pişti.", "You made {n} piştis."),
            seat=names[most],
        )
    ]


def _largest(count: int, seat: Seat, code: str, names: Sequence[str]) -> list[Words]:
    if not count:
        return []
    return [
        say_n(
            "The largest capture: {n} card by {seat} with {card}.",
            "The largest capture: {n} cards by {seat} with {card}.",
            count,
            you=(
                "The largest capture: {n} card by you with {card}.",
                "The largest capture: {n} cards by you with {card}.",
            ),
            seat=names[seat],
            card=CardName(code),
        )
    ]
