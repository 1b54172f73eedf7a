"""Moves and events in words for people; never more than the (redacted) event tells.

Phrases of players at the table. The slugs are stored and sent, so they stay.

Hints for a beginner in a turn, and the moments of a match.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
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
from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.predicates import (
    TARGET,
    CardPlay,
    is_bust,
    lay,
    parse,
    total_of,
    unseen_main,
)
from cardroom.rules.pazaak.side_cards import CARD
from cardroom.rules.pazaak.view import HalfView, PazaakView
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


def narrate(event: Event, names: Names) -> Phrase:  # noqa: C901 - one case an event
    """One sentence or two on what happened; ``names`` by seat."""
    match event:
        case MatchStarted():
            return say_n(
                "{first} and {second} play Pazaak; the first round win takes the match.",
                "{first} and {second} play Pazaak; {n} round wins take the match.",
                event.options.rounds_to_win,
                first=names[0],
                second=names[1],
            )
        case RoundStarted():
            return say(
                "Round {number}: {seat} starts.",
                you="Round {number}: you start.",
                number=event.round_no,
                seat=names[event.starter],
            )
        case Opener():
            return say(
                "Bottom cards: {first} {one}, {second} {other}; the higher one starts.",
                first=names[0],
                one=event.values[0],
                second=names[1],
                other=event.values[1],
            )
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
    return say(
        "{why}: {seat} wins the round. {score}",
        you="{why}: you win the round. {score}",
        why=why(event, event.winner, names),
        seat=names[event.winner],
        score=score,
    )


def why(event: RoundOver, winner: int, names: Names) -> Phrase:
    won, lost = _number(event.totals[winner]), _number(event.totals[1 - winner])
    match event.reason:
        case "bust":
            loser = names[1 - winner]
            return say(
                "{seat} is bust at {total}", you="You are bust at {total}", seat=loser, total=lost
            )
        case "filled":
            return say(
                "{seat} has filled the table", you="You have filled the table", seat=names[winner]
            )
        case "outscore":
            return say("{won} beats {lost}", won=won, lost=lost)
        case _:
            return say(
                "Equal totals, but {seat} has the tiebreaker",
                you="Equal totals, but you have the tiebreaker",
                seat=names[winner],
            )


def _match_over(event: MatchOver, names: Names) -> Phrase:
    if event.winner is None:
        first, second = event.wins
        return say("The match is drawn, {first} to {second}.", first=first, second=second)
    won, lost = event.wins[event.winner], event.wins[1 - event.winner]
    return say(
        "{seat} wins the match {won} to {lost}.",
        you="You win the match {won} to {lost}.",
        seat=names[event.winner],
        won=won,
        lost=lost,
    )


PHRASES: Final[Mapping[str, Phrase]] = {
    "twenty": say("Twenty!"),
    "bust": say("Bust!"),
    "i_stand": say("I stand by that."),
    "tie_again": say("A tie again!"),
}


def hint(view: PazaakView) -> Words | None:
    """A fact that helps to choose; ``None`` when the seat is not to play."""
    if not view.legal_moves or view.seat is None:
        return None
    own = view.halves[view.seat]
    exact = _exactly_twenty(view, own)
    if exact is not None and view.phase == "turn_play":
        return say("{card} makes exactly 20.", card=CARD[exact].name)
    if view.phase != "turn_start":
        return _over(own)
    return _drawing(own)


def _exactly_twenty(view: PazaakView, own: HalfView) -> str | None:
    takes_slot = view.options.specials_take_slot
    for move in view.legal_moves:
        play = parse(move)
        if play and total_of(lay(own.board, play, specials_take_slot=takes_slot)[0]) == TARGET:
            return play.code
    return None


def _over(own: HalfView) -> Words:
    if is_bust(own.total):
        return say("Over 20 you lose the round: play a card that brings you back.")
    return say("Side cards are few: keep them for a total just below or above 20.")


def _drawing(own: HalfView) -> Words:
    """R9: the next card comes from the own main deck, whose drawn cards lie on the board."""
    left = unseen_main(own.board)
    over = sum(is_bust(own.total + card) for card in left)
    if not over:
        return say("No card of your deck can take you over 20 now: draw.")
    return say_n(
        "{n} card in {all} of your deck takes you over 20.",
        "{n} cards in {all} of your deck take you over 20.",
        over,
        all=len(left),
    )


def match_point(options: PazaakOptions, scores: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The players who need one more round, also because it is the last one allowed."""
    wins = [sum(made) for made in zip(*scores, strict=True)]
    is_last = len(scores) + 1 == options.max_rounds
    return tuple(
        seat
        for seat, won in enumerate(wins)
        if won + 1 >= options.rounds_to_win or (is_last and won >= max(wins))
    )


def moments(events: Iterable[Event], names: Sequence[str]) -> list[Words]:
    """The closest round, and rounds saved from above 20 by a card."""
    log, closest = list(events), None
    for event in log:
        if isinstance(event, RoundOver) and event.reason == "outscore":
            gap = abs(event.totals[0] - event.totals[1])
            if closest is None or gap < closest[0]:
                closest = gap, event
    sentences: list[Words] = []
    if closest is not None:
        totals = sorted(closest[1].totals, reverse=True)
        sentences.append(say("The closest round: {won} to {lost}.", won=totals[0], lost=totals[1]))
    saved = _saved(log, len(names))
    seat = max(range(len(names)), key=saved.__getitem__)
    if saved[seat]:
        sentences.append(
            say_n(
                "{seat} came back from above 20 once.",
                "{seat} came back from above 20 {n} times.",
                saved[seat],
                you=(
                    "You came back from above 20 once.",
                    "You came back from above 20 {n} times.",
                ),
                seat=names[seat],
            )
        )
    return sentences


def _saved(events: Sequence[Event], seats: int) -> list[int]:
    saved = [0] * seats
    for drawn, played in pairwise(events):
        if isinstance(drawn, MainDrawn) and isinstance(played, CardPlayed):
            saved[played.seat] += is_bust(drawn.total) and not is_bust(played.total)
    return saved
