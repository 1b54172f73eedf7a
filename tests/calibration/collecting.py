"""Decisions of fresh matches with what the coach says of them and how the matches ended."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean
from typing import Any, Final

from cardroom.arena import compiled_code
from cardroom.arena.request import SimulationRequest, describe, series
from cardroom.arena.series import Series
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.state_fields import AS_WEIGHED
from cardroom.rules.values import Event, Step
from games.coaching import judging
from games.coaching.judging import Decision, judge_of
from tests.calibration.settings import Setting

OTHER_WORLDS: Final = 10**6  # added to a version: the same decision, judged in other worlds


@dataclass(frozen=True)
class Judged:
    """``chance`` of the move that was played, and what came of it for its seat, both 0 to 1."""

    match: int
    stage: str
    chance: float
    came: float


@dataclass(frozen=True)
class Drawn:
    """A decision of a match, and what the match came to for its seat."""

    match: int
    decision: Decision
    came: float


def drawn(setting: Setting, seed: int, first: int, matches: int) -> Iterator[Drawn]:
    """Of these matches, so many of the decisions as the setting says, as their seats saw them."""
    played = series(request_of(setting, seed, first + matches))
    for number in range(first, first + matches):
        yield from _of_match(played, number, setting.share)


def request_of(setting: Setting, seed: int, matches: int) -> SimulationRequest:
    return describe(
        setting.game,
        values=setting.options,
        preset=setting.preset,
        bots=(setting.bot,),
        games=matches,
        seed=seed,
    )


def _of_match(matches: Series, number: int, share: float) -> list[Drawn]:
    notes = _Notes(matches.game, share, Random(number))
    outcome = replace(matches, game=notes.game).play(number).outcome
    seats = range(matches.game.seats(matches.options))
    if matches.game.points_are_places:  # Shithead: not to be the last one
        last = max(outcome.places)
        came = {seat: float(outcome.places[seat] != last) for seat in seats}
    else:
        came = {seat: (seat in outcome.winners) / len(outcome.winners) for seat in seats}
    return [Drawn(number, each, came[each.seat]) for each in notes.decisions]


class _Notes:
    """A game that notes some decisions before they are played."""

    def __init__(self, game: Any, share: float, rng: Random) -> None:
        self._plain, self._steps, self._version = game, list[tuple[Event, ...]](), 0
        self._share, self._rng, self._remembers = share, rng, judge_for(game).remembers
        self.decisions: list[Decision] = []
        self.game = replace(game, start=self._start, play=self._play)

    def _start(self, *args: Any) -> Step[Any]:
        step = self._plain.start(*args)
        self._steps.append(step.events)
        return step

    def _play(self, state: Any, seat: int, move: str, shuffle: Any) -> Step[Any]:
        if self._rng.random() < self._share:
            self._note(state, seat, move)
        step = self._plain.play(state, seat, move, shuffle)
        self._steps.append(step.events)
        self._version += 1
        return step

    def _note(self, state: Any, seat: int, move: str) -> None:
        view = self._plain.view(state, seat)
        if len(view.legal_moves) > 1:
            seen = tuple(event.seen_by(seat) for step in self._steps for event in step)
            events = self._plain.recent_events(seen, self._remembers)
            self.decisions.append(Decision(self._version, 1, seat, view, events, move))


def judge_for(game: AnyGame, *, as_weighed: bool = False) -> Any:
    """The coach's judge; ``as_weighed`` leaves its chances as its search weighs them."""
    bot = compiled_code.quick(game, judge_of(game))
    if not as_weighed:
        return bot
    return replace(bot, search=replace(bot.search, reading=AS_WEIGHED))


def judged(setting: Setting, each: Drawn, *, as_weighed: bool = False) -> Judged | None:
    """With the fewest playouts that a decision gets."""
    game = catalog.find(setting.game)
    bot = judge_for(game, as_weighed=as_weighed)
    weighed = judging.weigh(bot, each.decision, judging.PLAYOUTS)
    move = judging.listed_move(game, weighed.moves, each.decision.move)
    if move is None or len(set(weighed.means)) < 2:
        return None
    stage = judge_of(game).search.reading.stage(each.decision.view)
    return Judged(each.match, stage, fmean(weighed.means[weighed.moves.index(move)]), each.came)
