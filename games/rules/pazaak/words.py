"""Moves and events in words for people; never more than the (redacted) event tells."""

from collections.abc import Callable, Sequence
from typing import Final

from games.rules.pazaak.events import (
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
from games.rules.pazaak.moves import CardPlay, read
from games.rules.pazaak.side_cards import CARD
from games.rules.values import Event, Move

_WORDS: Final = {
    "stand": "Stand",
    "draw": "Draw a card",
    "pass": "Play no card",
    "end": "End the turn",
}


def label(move: Move) -> str:
    """A move as a button says it; ``MalformedMove`` if it is none."""
    play = read(move)
    return _WORDS[move] if play is None else _card_label(play)


def _card_label(play: CardPlay) -> str:
    name = CARD[play.code].name
    if play.kind == "flip":
        return name
    if play.kind == "double":
        return "Double the newest card"
    if play.sign is None:
        return f"Play {name}"
    return f"Play {name} as {_signed(play.amount)}"


def _signed(value: int) -> str:
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"−{-value}"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _match_started(event: MatchStarted, names: Sequence[str]) -> str:
    wins = event.options.rounds_to_win
    goal = "the first round win" if wins == 1 else f"{wins} round wins"
    return f"{names[0]} and {names[1]} play Pazaak; {goal} take{'s' * (wins == 1)} the match."


def _round_started(event: RoundStarted, names: Sequence[str]) -> str:
    return f"Round {event.round_no}: {names[event.starter]} starts."


def _opener(event: Opener, names: Sequence[str]) -> str:
    first, second = event.values
    return f"Bottom cards: {names[0]} {first}, {names[1]} {second}; the higher one starts."


def _hand_drawn(event: HandDrawn, names: Sequence[str]) -> str:
    who = names[event.seat]
    if event.cheating:
        return f"{who} cheats: it may play {_cards(event.count)} more, any of its whole side deck."
    if not event.cards:
        return f"{who} draws {_cards(event.count) if event.count else 'no side cards'}."
    return f"{who} draws {', '.join(CARD[code].name for code in event.cards)}."


def _main_drawn(event: MainDrawn, names: Sequence[str]) -> str:
    return f"{names[event.seat]} draws {event.value}: {_number(event.total)}."


def _card_played(event: CardPlayed, names: Sequence[str]) -> str:
    how = ""
    if event.looked_at is not None:
        how = f", having looked at all {_cards(event.looked_at)} left in its side deck"
    return f"{names[event.seat]} plays {_what(event)}{how}: {_number(event.total)}."


def _what(event: CardPlayed) -> str:
    name = CARD[event.code].name
    if event.sign is not None and isinstance(event.effect, int):
        return f"{name} as {_signed(event.effect)}"
    if event.code[0] != "F" or isinstance(event.effect, int):
        return name
    turned = len(event.effect)
    return f"{name}, turning {_cards(turned)} over" if turned else f"{name} in vain"


def _passed(event: Passed, names: Sequence[str]) -> str:
    return f"{names[event.seat]} ends the turn at {_number(event.total)}."


def _stood(event: Stood, names: Sequence[str]) -> str:
    return f"{names[event.seat]} stands at {_number(event.total)}."


def _round_over(event: RoundOver, names: Sequence[str]) -> str:
    score = f"It stands {event.wins[0]} to {event.wins[1]}."
    if event.winner is None:
        return f"Equal totals: the round is a tie. {score}"
    winner, loser = names[event.winner], names[1 - event.winner]
    won, lost = event.totals[event.winner], event.totals[1 - event.winner]
    why = {
        "bust": f"{loser} is bust at {_number(lost)}",
        "filled": f"{winner} has filled the table",
        "outscore": f"{_number(won)} beats {_number(lost)}",
        "tiebreaker": f"equal totals, but {winner} has the tiebreaker",
    }[event.reason]
    return f"{why[0].upper()}{why[1:]}: {winner} wins the round. {score}"


def _match_over(event: MatchOver, names: Sequence[str]) -> str:
    if event.winner is None:
        return f"The match is drawn, {event.wins[0]} to {event.wins[1]}."
    won, lost = event.wins[event.winner], event.wins[1 - event.winner]
    return f"{names[event.winner]} wins the match {won} to {lost}."


_TOLD: Final[dict[type[Event], Callable[..., str]]] = {
    MatchStarted: _match_started,
    RoundStarted: _round_started,
    Opener: _opener,
    HandDrawn: _hand_drawn,
    MainDrawn: _main_drawn,
    CardPlayed: _card_played,
    Passed: _passed,
    Stood: _stood,
    RoundOver: _round_over,
    MatchOver: _match_over,
}


def narrate(event: Event, names: Sequence[str]) -> str:
    """One sentence or two on what happened; ``names`` by seat."""
    return _TOLD[type(event)](event, names)
