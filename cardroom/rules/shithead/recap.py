"""What a beginner would like to know in a turn, and what is worth telling of a match."""

from collections import Counter
from collections.abc import Iterable, Sequence

from cardroom.rules.cards import CARD, RANK, TEN, TEXT
from cardroom.rules.cause import Cause
from cardroom.rules.shithead.events import Burned, PickedUp
from cardroom.rules.shithead.moves import why_not
from cardroom.rules.shithead.options import ShitheadOptions
from cardroom.rules.shithead.predicates import in_order, is_wild
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.text import CardName, Words, say, say_n
from cardroom.rules.values import Event, Seat

LARGE_PILE = 5


def hint(view: ShitheadView) -> Words | None:
    """A fact that helps to choose; ``None`` when the seat is not to play."""
    if not view.legal_moves or view.seat is None:
        return None
    if view.phase == "exchange":
        return say("Put your best cards on top: 2, 3, 10 and jokers. They are played last.")
    if view.legal_moves == ("pickup",):
        return say_n(
            "No card of yours may be played: you take the {n} card.",
            "No card of yours may be played: you take the {n} cards.",
            len(view.pile),
        )
    return _playing(view)


def _playing(view: ShitheadView) -> Words | None:
    pile = [CARD[code] for code in view.pile]
    held = [CARD[code] for code in view.hand or view.tops[view.seat or 0]]
    may = [card for card in in_order(held) if why_not(pile, view.options, card) is None]
    ten = next((card for card in may if RANK[card] == TEN), None)
    if ten is not None and len(pile) >= LARGE_PILE:
        return _burning(ten, len(pile))
    plain = next((card for card in may if not is_wild(RANK[card])), None)
    if plain is None:
        return None
    return say(
        "{card} is the lowest card you may play; keep 2, 3 and 10 for later.",
        card=CardName(TEXT[plain]),
    )


def _burning(ten: int, count: int) -> Words:
    return say_n(
        "{card} would burn the {n} card and you play again.",
        "{card} would burn all {n} cards and you play again.",
        count,
        card=CardName(TEXT[ten]),
    )


def leaders(scores: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The seats shed least often, of these the ones with the lowest sum of places (§2)."""
    standing = _standing(scores)
    return tuple(seat for seat, key in enumerate(standing) if key == min(standing))


def match_point(options: ShitheadOptions, scores: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Before the last game: who wins the match by being the first in it, whatever others do."""
    standing = _standing(scores)
    if len(scores) + 1 != options.games or not standing:
        return ()
    return tuple(
        seat
        for seat, (shed, places) in enumerate(standing)
        if all(
            (shed, places + 1) < (others_shed, others_places + 2)
            for other, (others_shed, others_places) in enumerate(standing)
            if other != seat
        )
    )


def _standing(scores: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """For each seat how often it was shed, and the sum of its places: less is better."""
    return [
        (sum(game[seat] == max(game) for game in scores), sum(places))
        for seat, places in enumerate(zip(*scores, strict=True))
    ]


def match_causes(events: Iterable[Event], options: ShitheadOptions) -> list[list[Cause]]:
    """What kept each seat in the game, and what it was rid of by burns.

    A place has no points of which it is made; the cards a seat picked up (R8, R9) and the piles it
    burned (R13) are what decides it, and everybody saw them.
    """
    picked: Counter[Seat] = Counter()
    burned: Counter[Seat] = Counter()
    for event in events:
        match event:
            case PickedUp():
                picked[event.seat] += event.count
            case Burned():
                burned[event.seat] += 1
    return [_causes(picked[seat], burned[seat]) for seat in range(options.players)]


def _causes(picked: int, burned: int) -> list[Cause]:
    causes = [Cause(say("cards picked up"), picked), Cause(say("piles burned"), burned)]
    return [cause for cause in causes if cause.points]


def moments(events: Iterable[Event], names: Sequence[str]) -> list[Words]:
    """The largest pile picked up, and who burned most."""
    burns: Counter[int] = Counter()
    largest, taker = 0, 0
    for event in events:
        match event:
            case Burned():
                burns[event.seat] += 1
            case PickedUp() if event.count > largest:
                largest, taker = event.count, event.seat
    sentences: list[Words] = []
    if largest > 1:
        sentences.append(
            say_n(
                "{seat} picked up {n} card at once.",
                "{seat} picked up {n} cards at once.",
                largest,
                seat=names[taker],
            )
        )
    for seat, n in burns.most_common(1):
        sentences.append(
            say_n("{seat} burned the pile once.", "{seat} burned {n} piles.", n, seat=names[seat])
        )
    return sentences
