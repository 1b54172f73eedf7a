"""What a beginner would like to know in a turn, and what is worth telling of a match."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from cardroom.rules.pazaak.events import CardPlayed, MainDrawn, RoundOver
from cardroom.rules.pazaak.moves import parse
from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.predicates import TARGET, is_bust, lay, total_of, unseen_main
from cardroom.rules.pazaak.side_cards import CARD
from cardroom.rules.pazaak.view import HalfView, PazaakView
from cardroom.rules.text import Words, say, say_n
from cardroom.rules.values import Event


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
