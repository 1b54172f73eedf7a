"""Moves and events in words; never more than the event itself tells."""

from collections.abc import Sequence
from typing import Final

from cardroom.rules.cards import CARD
from cardroom.rules.shithead import moves
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
from cardroom.rules.shithead.predicates import BurnReason
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.text import CardName, Listing, Phrase, card_names, joined, say, say_n
from cardroom.rules.values import Event, Move

Names = Sequence[str]

_BURN_REASONS: Final[dict[BurnReason, Phrase]] = {
    "ten": say("A ten"),
    "four": say("Four of a kind"),
    "jokers": say("Two jokers"),
}


def why_not(view: ShitheadView, code: str) -> Phrase | None:
    """Why this card may not be played on the pile now: "8♦ is lower than the king on the pile."

    ``None`` if it may. Whose turn it is and where the card lies is not considered.
    """
    return moves.why_not([CARD[card] for card in view.pile], view.options, CARD[code])


def label(move: Move) -> Phrase:
    parsed = moves.parse(move)
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


def narrate(event: Event, names: Names) -> Phrase:  # noqa: C901 - one line an event
    """One short sentence, two when a game is over; ``names`` by seat."""
    match event:
        case GameStarted():
            return _game_started(event, names[event.dealer])
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
            return _picked_up(event, names[event.seat])
        case Direction(value=1):
            return say("Play goes clockwise now.")
        case Direction():
            return say("Play goes anticlockwise now.")
        case Burned():
            return _burned(event, names[event.seat])
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


def _game_started(event: GameStarted, seat: str) -> Phrase:
    return say_n(
        "Game {number}: {seat} deals {n} card of each kind.",
        "Game {number}: {seat} deals {n} cards of each kind.",
        event.k,
        number=event.game_no,
        seat=seat,
    )


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


def _picked_up(event: PickedUp, seat: str) -> Phrase:
    return say_n(
        "{seat} picks up one card.",
        "{seat} picks up {n} cards.",
        event.count,
        you=("You pick up one card.", "You pick up {n} cards."),
        seat=seat,
    )


def _burned(event: Burned, seat: str) -> Phrase:
    return say_n(
        "{reason}: {seat} burns one card.",
        "{reason}: {seat} burns {n} cards.",
        event.count,
        you=("{reason}: you burn one card.", "{reason}: you burn {n} cards."),
        reason=_BURN_REASONS[event.reason],
        seat=seat,
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
