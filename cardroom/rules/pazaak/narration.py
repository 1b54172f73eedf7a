"""Moves and events in words for people; never more than the (redacted) event tells."""

from collections.abc import Sequence
from typing import Final

from cardroom.rules.pazaak.events import (
    CardPlayed,
    HandDrawn,
    MainDrawn,
    MatchOver,
    MatchStarted,
    Opener,
    Passed,
    RoundOver,
    RoundStarted,
    Stood,
)
from cardroom.rules.pazaak.moves import CardPlay, parse
from cardroom.rules.pazaak.side_cards import CARD
from cardroom.rules.text import Listing, Phrase, Value, Words, counted, say, say_n
from cardroom.rules.values import Event, Move

Names = Sequence[str]

_WORDS: Final = {
    "stand": say("Stand"),
    "draw": say("Draw a card"),
    "pass": say("Play no card"),
    "end": say("End the turn"),
}


def label(move: Move) -> Words:
    """A move as a button says it; ``MalformedMove`` if it is none."""
    play = parse(move)
    return _WORDS[move] if play is None else _card_label(play)


def _card_label(play: CardPlay) -> Words:
    name = CARD[play.code].name
    if play.kind == "flip":
        return name
    if play.kind == "double":
        return say("Double the newest card")
    if play.sign is None:
        return say("Play {card}", card=name)
    return say("Play {card} as {value}", card=name, value=_signed(play.amount))


def _signed(value: int) -> str:
    return f"+{value}" if value > 0 else _number(value)


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"−{-value}"


def narrate(event: Event, names: Names) -> Phrase:  # noqa: C901 - one line an event
    """One sentence or two on what happened; ``names`` by seat."""
    match event:
        case MatchStarted():
            return _match_started(event, names)
        case RoundStarted():
            starter = names[event.starter]
            return say("Round {number}: {seat} starts.", number=event.round_no, seat=starter)
        case Opener():
            return _opener(event, names)
        case HandDrawn():
            return _hand_drawn(event, names[event.seat])
        case MainDrawn():
            seat, value, total = names[event.seat], event.value, _number(event.total)
            return say(
                "{seat} draws {value}: {total}.",
                you="You draw {value}: {total}.",
                seat=seat,
                value=value,
                total=total,
            )
        case CardPlayed():
            return _card_played(event, names[event.seat])
        case Passed():
            seat, total = names[event.seat], _number(event.total)
            return say(
                "{seat} ends the turn at {total}.",
                you="You end the turn at {total}.",
                seat=seat,
                total=total,
            )
        case Stood():
            seat, total = names[event.seat], _number(event.total)
            return say(
                "{seat} stands at {total}.", you="You stand at {total}.", seat=seat, total=total
            )
        case RoundOver():
            return _round_over(event, names)
        case MatchOver():
            return _match_over(event, names)
    raise TypeError(f"{type(event).__name__} is not an event of Pazaak.")


def _match_started(event: MatchStarted, names: Names) -> Phrase:
    return say_n(
        "{first} and {second} play Pazaak; the first round win takes the match.",
        "{first} and {second} play Pazaak; {n} round wins take the match.",
        event.options.rounds_to_win,
        first=names[0],
        second=names[1],
    )


def _opener(event: Opener, names: Names) -> Phrase:
    return say(
        "Bottom cards: {first} {one}, {second} {other}; the higher one starts.",
        first=names[0],
        one=event.values[0],
        second=names[1],
        other=event.values[1],
    )


def _hand_drawn(event: HandDrawn, seat: str) -> Phrase:
    if event.cheating:
        return say_n(
            "{seat} cheats: it may play {n} card more, any of its whole side deck.",
            "{seat} cheats: it may play {n} cards more, any of its whole side deck.",
            event.count,
            seat=seat,
        )
    if not event.count:
        return say("{seat} draws no side cards.", you="You draw no side cards.", seat=seat)
    return say("{seat} draws {cards}.", you="You draw {cards}.", seat=seat, cards=_drawn(event))


def _drawn(event: HandDrawn) -> Value:
    """The cards by name, or how many they are for a seat that does not see them."""
    if event.cards is None:
        return counted(event.count)
    return Listing(tuple([CARD[code].name for code in event.cards]))


def _card_played(event: CardPlayed, seat: str) -> Phrase:
    card, total = _what(event), _number(event.total)
    if event.looked_at is None:
        return say(
            "{seat} plays {card}: {total}.",
            you="You play {card}: {total}.",
            seat=seat,
            card=card,
            total=total,
        )
    return say_n(
        "{seat} plays {card}, having looked at all {n} card left in its side deck: {total}.",
        "{seat} plays {card}, having looked at all {n} cards left in its side deck: {total}.",
        event.looked_at,
        seat=seat,
        card=card,
        total=total,
    )


def _what(event: CardPlayed) -> Words:
    """The card with what it did, where its name does not say it."""
    name = CARD[event.code].name
    if event.sign is not None and isinstance(event.effect, int):
        return say("{card} as {value}", card=name, value=_signed(event.effect))
    if event.code[0] != "F" or isinstance(event.effect, int):
        return name
    if not event.effect:
        return say("{card} in vain", card=name)
    turned = len(event.effect)
    return say_n(
        "{card}, turning {n} card over", "{card}, turning {n} cards over", turned, card=name
    )


def _round_over(event: RoundOver, names: Names) -> Phrase:
    score = say("It stands {first} to {second}.", first=event.wins[0], second=event.wins[1])
    if event.winner is None:
        return say("Equal totals: the round is a tie. {score}", score=score)
    winner = names[event.winner]
    return say(
        "{why}: {winner} wins the round. {score}",
        why=why(event, event.winner, names),
        winner=winner,
        score=score,
    )


def why(event: RoundOver, winner: int, names: Names) -> Phrase:
    won, lost = _number(event.totals[winner]), _number(event.totals[1 - winner])
    match event.reason:
        case "bust":
            return say("{loser} is bust at {total}", loser=names[1 - winner], total=lost)
        case "filled":
            return say("{winner} has filled the table", winner=names[winner])
        case "outscore":
            return say("{won} beats {lost}", won=won, lost=lost)
        case _:
            return say("Equal totals, but {winner} has the tiebreaker", winner=names[winner])


def _match_over(event: MatchOver, names: Names) -> Phrase:
    if event.winner is None:
        first, second = event.wins
        return say("The match is drawn, {first} to {second}.", first=first, second=second)
    won, lost = event.wins[event.winner], event.wins[1 - event.winner]
    winner = names[event.winner]
    return say("{winner} wins the match {won} to {lost}.", winner=winner, won=won, lost=lost)
