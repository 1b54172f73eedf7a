"""Moves and events in words; never more than the event itself tells.

Phrases of players at the table. The slugs are stored and sent, so they stay.

Hints for a beginner in a turn, and the moments of a match.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cardroom.rules.cards import CARD, RANK, TEN, TEXT
from cardroom.rules.shithead import predicates
from cardroom.rules.shithead.events import (
    Burned,
    Dealt,
    Direction,
    Drew,
    Exchanged,
    GameOver,
    GameStarted,
    HiddenFailed,
    MatchOver,
    PickedUp,
    Played,
    Ready,
    Remaining,
    SeatOut,
    Turn,
)
from cardroom.rules.shithead.options import ShitheadOptions
from cardroom.rules.shithead.predicates import BurnReason, in_order, is_wild, why_not
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.text import CardName, Listing, Phrase, Words, card_names, joined, say, say_n
from cardroom.rules.values import Cause, Event, Move, Seat

Names = Sequence[str]

_BURN_REASONS: Final[dict[BurnReason, Phrase]] = {
    "ten": say("A ten"),
    "four": say("Four of a kind"),
    "jokers": say("Two jokers"),
}


def why_refused(view: ShitheadView, code: str) -> Phrase | None:
    """The reason why this card may not be played now: "8♦ is lower than the king on the pile."

    ``None`` if it may. Whose turn it is and where the card lies is not considered.
    """
    return predicates.why_not([CARD[card] for card in view.pile], view.options, CARD[code])


def label(move: Move) -> Phrase:
    parsed = predicates.parse(move)
    if parsed.kind == "ready":
        return say("Ready")
    if parsed.kind == "pickup":
        return say("Pick up the pile")
    if parsed.kind == "blind":
        return say("Turn up hidden card {number}", number=parsed.numbers[0] + 1)
    if parsed.kind == "swap":
        card, top = move.split(" ")[1:]
        return say("Lay {card} open, take {top}", card=CardName(card), top=CardName(top))
    return say("Play {cards}", cards=_listed(move.split(" ")))


def _listed(codes: Sequence[str]) -> Listing:
    return card_names(codes, separator=" ")


def narrate(event: Event, names: Names) -> Phrase:  # noqa: C901 - one case an event
    """One short sentence, two when a game is over; ``names`` by seat."""
    match event:
        case GameStarted():
            return say_n(
                "Game {number}: {seat} deals {n} card of each kind.",
                "Game {number}: {seat} deals {n} cards of each kind.",
                event.k,
                you=(
                    "Game {number}: you deal {n} card of each kind.",
                    "Game {number}: you deal {n} cards of each kind.",
                ),
                number=event.game_no,
                seat=names[event.dealer],
            )
        case Dealt():
            cards = _listed(event.top)
            return say(
                "{seat} shows {cards}.",
                you="You show {cards}.",
                seat=names[event.seat],
                cards=cards,
            )
        case Exchanged():
            return _exchanged(event, names[event.seat])
        case Ready():
            return say("{seat} is ready.", you="You are ready.", seat=names[event.seat])
        case Played():
            return _played(event, names[event.seat])
        case HiddenFailed():
            return _hidden_failed(event, names[event.seat])
        case PickedUp():
            return say_n(
                "{seat} picks up one card.",
                "{seat} picks up {n} cards.",
                event.count,
                you=("You pick up one card.", "You pick up {n} cards."),
                seat=names[event.seat],
            )
        case Direction(value=1):
            return say("Play goes clockwise now.")
        case Direction():
            return say("Play goes anticlockwise now.")
        case Burned():
            return say_n(
                "{reason}: {seat} burns one card.",
                "{reason}: {seat} burns {n} cards.",
                event.count,
                you=("{reason}: you burn one card.", "{reason}: you burn {n} cards."),
                reason=_BURN_REASONS[event.reason],
                seat=names[event.seat],
            )
        case Drew():
            return _drew(event, names[event.seat])
        case SeatOut():
            seat, place = names[event.seat], event.place
            return say(
                "{seat} is out in place {place}.",
                you="You are out in place {place}.",
                seat=seat,
                place=place,
            )
        case Turn():
            return say("{seat} is to play.", you="You are to play.", seat=names[event.seat])
        case GameOver():
            return _game_over(event, names)
        case MatchOver():
            return _match_over(event, names)
    raise TypeError(f"{type(event).__name__} is not an event of Shithead.")


def _exchanged(event: Exchanged, seat: str) -> Phrase:
    card, top = CardName(event.to_top), CardName(event.to_hand)
    return say(
        "{seat} lays {card} open and takes {top}.",
        you="You lay {card} open and take {top}.",
        seat=seat,
        card=card,
        top=top,
    )


def _played(event: Played, seat: str) -> Phrase:
    cards = _listed(event.cards)
    match event.source:
        case "hand":
            return say("{seat} plays {cards}.", you="You play {cards}.", seat=seat, cards=cards)
        case "top":
            return say(
                "{seat} plays {cards} from the top cards.",
                you="You play {cards} from the top cards.",
                seat=seat,
                cards=cards,
            )
        case "hand_top":
            return say(
                "{seat} plays {cards} from hand and top cards.",
                you="You play {cards} from hand and top cards.",
                seat=seat,
                cards=cards,
            )
        case "hidden":
            return say(
                "{seat} plays {cards} from the hidden cards.",
                you="You play {cards} from the hidden cards.",
                seat=seat,
                cards=cards,
            )


def _hidden_failed(event: HiddenFailed, seat: str) -> Phrase:
    card = CardName(event.card)
    return say(
        "{seat} turns up {card}, which may not be played.",
        you="You turn up {card}, which may not be played.",
        seat=seat,
        card=card,
    )


def _drew(event: Drew, seat: str) -> Phrase:
    if event.card is None:
        return say("{seat} draws a card; {stock} left in the stock.", seat=seat, stock=event.stock)
    card, stock = CardName(event.card), event.stock
    return say(
        "{seat} draws {card}; {stock} left in the stock.",
        you="You draw {card}; {stock} left in the stock.",
        seat=seat,
        card=card,
        stock=stock,
    )


def _game_over(event: GameOver, names: Names) -> Phrase:
    over = say_n(
        "The game is over; {seats} is the shed.",
        "The game is over; {seats} share being the shed.",
        len(event.shed),
        seats=joined([names[seat] for seat in event.shed]),
    )
    if not event.remaining:
        return over
    remaining = Listing(tuple([_left(one, names) for one in event.remaining]), separator=" ")
    return say("{over} {remaining}", over=over, remaining=remaining)


def _left(remaining: Remaining, names: Names) -> Phrase:
    cards = _listed((*remaining.hand, *remaining.top, *remaining.hidden))
    return say("{seat} is left with {cards}.", seat=names[remaining.seat], cards=cards)


def _match_over(event: MatchOver, names: Names) -> Phrase:
    best = [names[standing.seat] for standing in event.standings if standing.place == 1]
    return say_n(
        "The match is over; {seats} wins.",
        "The match is over; {seats} share the win.",
        len(best),
        seats=joined(best),
    )


PHRASES: Final[Mapping[str, Phrase]] = {
    "well_burned": say("Well burned!"),
    "pick_it_up": say("Pick it up!"),
    "not_me": say("It will not be me."),
    "blind_luck": say("Blind luck!"),
}

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
        return say_n(
            "{card} would burn the {n} card and you play again.",
            "{card} would burn all {n} cards and you play again.",
            len(pile),
            card=CardName(TEXT[ten]),
        )
    plain = next((card for card in may if not is_wild(RANK[card])), None)
    if plain is None:
        return None
    return say(
        "{card} is the lowest card you may play; keep 2, 3 and 10 for later.",
        card=CardName(TEXT[plain]),
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
    """The causes of each seat's place: cards that it picked up, piles that it burned.

    A place is not a sum of points; the cards a seat picked up (R8, R9) and the piles it burned
    (R13) decide it, and everybody saw them.
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
                you=("You picked up {n} card at once.", "You picked up {n} cards at once."),
                seat=names[taker],
            )
        )
    for seat, n in burns.most_common(1):
        sentences.append(
            say_n(
                "{seat} burned the pile once.",
                "{seat} burned {n} piles.",
                n,
                you=("You burned the pile once.", "You burned {n} piles."),
                seat=names[seat],
            )
        )
    return sentences
