"""Decisions of fresh matches with what the coach says of them and how the matches ended."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from time import monotonic
from typing import Any, Final

from games.arena import compiled_code
from games.arena.request import describe, series
from games.coaching.judging.decisions import Decision, judge_of
from games.coaching.judging.verdicts import Verdict, judge
from games.rules import catalog
from games.rules.values import Event, Step

PLAYOUTS: Final = 256
OTHER_WORLDS: Final = 10**6  # added to a version: the same decision, judged in other worlds
# Of the decisions of a match so many are judged, each drawn by itself: so many of each match would
# take more of the short ones, which end otherwise.
SHARE: Final = {"pisti": 0.1, "pazaak": 0.4, "shithead": 0.25}


@dataclass(frozen=True)
class Setting:
    """What is played: by computers of about the coach's strength."""

    game: str
    bots: tuple[str, ...]
    options: dict[str, Any]


SETTINGS: Final = (
    Setting("pisti", ("counter",), {}),
    Setting("pazaak", ("professor",), {}),
    Setting("shithead", ("keeper",), {}),
)


@dataclass(frozen=True)
class Judged:
    """``chance`` of the move that was played, and what came of it for its seat, both 0 to 1.

    ``is_best``: the coach called it the best; ``stays``: so did it with 20 times the playouts,
    where that was tried.
    """

    match: int
    chance: float
    came: float
    is_best: bool
    stays: bool | None


def collect(setting: Setting, seed: int, seconds: float, deep_every: int) -> Iterator[Judged]:
    """Until the time is up; every so many decisions one is judged again with 20 times the work."""
    until, number, count = monotonic() + seconds, 0, 0
    while monotonic() < until:
        decisions, came = played(setting, seed, number)
        rng = Random(number)
        for decision in decisions:
            if rng.random() > SHARE[setting.game]:
                continue
            verdict = _verdict(setting.game, decision, PLAYOUTS)
            if verdict is None:
                continue
            deep = _again(setting.game, decision) if count % deep_every == 0 else None
            count += 1
            yield Judged(
                number,
                verdict.played.chance,
                came[decision.seat],
                verdict.grade == "best",
                None if deep is None else deep.grade == "best",
            )
            if monotonic() > until:
                return
        number += 1


def played(setting: Setting, seed: int, number: int) -> tuple[list[Decision], dict[int, float]]:
    """The decisions of a match, as their seats saw them, and what it came to for each seat."""
    request = describe(
        setting.game, values=setting.options, bots=setting.bots, games=number + 1, seed=seed
    )
    matches = series(request)
    notes = _Notes(matches.game)
    playout = replace(matches, game=notes.game).play(number)
    outcome, seats = playout.outcome, range(matches.game.seats(matches.options))
    if matches.game.points_are_places:  # Shithead: not to be the last one
        last = max(outcome.places)
        return notes.decisions, {seat: float(outcome.places[seat] != last) for seat in seats}
    share = 1 / len(outcome.winners)
    return notes.decisions, {seat: share * (seat in outcome.winners) for seat in seats}


class _Notes:
    """A game that notes every decision before it is played."""

    def __init__(self, game: Any) -> None:
        self._plain, self._steps, self._version = game, list[tuple[Event, ...]](), 0
        self._remembers = _judge(game.slug).remembers
        self.decisions: list[Decision] = []
        self.game = replace(game, start=self._start, play=self._play)

    def _start(self, *args: Any) -> Step[Any]:
        step = self._plain.start(*args)
        self._steps.append(step.events)
        return step

    def _play(self, state: Any, seat: int, move: str, shuffle: Any) -> Step[Any]:
        view = self._plain.view(state, seat)
        if len(view.legal_moves) > 1:
            seen = tuple(event.seen_by(seat) for step in self._steps for event in step)
            events = self._plain.recent_events(seen, self._remembers)
            self.decisions.append(Decision(self._version, 1, seat, view, events, move))
        step = self._plain.play(state, seat, move, shuffle)
        self._steps.append(step.events)
        self._version += 1
        return step


def _verdict(slug: str, decision: Decision, playouts: int) -> Verdict | None:
    return judge(catalog.find(slug), _judge(slug), decision, playouts)


def _again(slug: str, decision: Decision) -> Verdict | None:
    other = replace(decision, version=decision.version + OTHER_WORLDS)
    return _verdict(slug, other, 20 * PLAYOUTS)


def _judge(slug: str) -> Any:
    game = catalog.find(slug)
    return compiled_code.quick(game, judge_of(game))
