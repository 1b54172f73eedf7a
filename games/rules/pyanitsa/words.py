"""Moves and events as a person reads them; never more than the event itself tells."""

from collections.abc import Sequence

from games.rules.cards import pretty
from games.rules.pyanitsa.events import (
    CardLaid,
    Dealt,
    Dispute,
    MatchOver,
    Recycled,
    SeatOut,
    TrickTaken,
)
from games.rules.pyanitsa.rules import FLIP
from games.rules.values import Event, Move, Seat


def label(move: Move) -> str:
    if move == FLIP:
        return "Turn up the next card"
    cards = move.split(" ")[1:]
    return f"Collect {' '.join(map(pretty, cards))}" if cards else "Collect the trick"


def narrate(event: Event, names: Sequence[str]) -> str:
    match event:
        case Dealt():
            return _dealt(event)
        case CardLaid():
            return _card_laid(event, names)
        case Recycled():
            return f"{names[event.seat]} turns the won pile over: {_cards(event.count)}."
        case Dispute():
            return _dispute(event, names)
        case TrickTaken():
            return _trick_taken(event, names)
        case SeatOut():
            return f"{names[event.seat]} has no cards left and is out."
        case MatchOver():
            return _match_over(event, names)
    raise TypeError(f"Pyanitsa has no event {type(event).__name__}.")


def _dealt(event: Dealt) -> str:
    aside = f" {_cards(event.set_aside).capitalize()} set aside unseen." if event.set_aside else ""
    return f"Everybody gets {_cards(event.cards_per_seat)}.{aside}"


def _card_laid(event: CardLaid, names: Sequence[str]) -> str:
    card = "a card face down" if event.card is None else pretty(event.card)
    return f"{names[event.seat]} lays {card}."


def _dispute(event: Dispute, names: Sequence[str]) -> str:
    what = "Dispute" if event.level == 1 else "Another dispute"
    mortgage = ", each with a card face down" if event.mortgage else ""
    return f"{what} between {_list(event.seats, names)}{mortgage}."


def _trick_taken(event: TrickTaken, names: Sequence[str]) -> str:
    taken = f"{names[event.seat]} takes {_cards(event.count)}"
    hidden = f"; face down lay {', '.join(map(pretty, event.face_down))}" if event.face_down else ""
    if event.reason == "no_cards":
        return f"{taken}, having none left to dispute with{hidden}."
    return (
        f"{taken}, winning the dispute{hidden}." if event.reason == "dispute_won" else f"{taken}."
    )


def _match_over(event: MatchOver, names: Sequence[str]) -> str:
    winners = _list(event.winners, names)
    share = "share the win" if len(event.winners) > 1 else "wins the match"
    why = {
        "all_cards": "with all the cards",
        "gave_away": "with no cards left",
        "limit": "at the trick limit",
    }
    return f"{winners} {share} {why[event.reason]}."


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _list(seats: Sequence[Seat], names: Sequence[str]) -> str:
    *most, last = [names[seat] for seat in seats]
    return f"{', '.join(most)} and {last}" if most else last
