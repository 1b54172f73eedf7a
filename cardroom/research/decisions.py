"""Decisions that were made: what a seat observed, could do and did, and how the match ended.

``of_series`` lets computers play, ``of_record`` plays a record again. A decision is a move among
two or more; forced moves teach nothing. Nothing of a decision says who a person is: players are
the slug of a computer or the word ``PERSON``.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple

from cardroom.arena import compiled_code
from cardroom.arena.process_pool import run_parts
from cardroom.arena.request import Part, SimulationRequest, parts_of, series
from cardroom.arena.series import Series
from cardroom.research.rewards import by_margin, rewards
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.record import BadRecord, Record
from cardroom.rules.record.playback import Playback
from cardroom.rules.record.replay import play
from cardroom.rules.values import Event, Move, Options, Outcome, Seat, View

PERSON: Final = "person"
PART: Final = 20  # matches that a process plays before it hands over their decisions


class Decision(NamedTuple):
    """``legal`` are action numbers in ascending order. Results are those of the deciding seat."""

    match: int
    ply: int
    seat: Seat
    player: str
    observation: Any
    legal: tuple[int, ...]
    action: int
    move: Move
    reward: float
    margin: float
    place: int


class Choice(NamedTuple):
    """A decision before the end of its match is known."""

    ply: int
    view: View
    move: Move
    player: str


def of_request(request: SimulationRequest, jobs: int) -> Iterator[Decision]:
    """Every decision of the matches that are asked for, in their order, whatever the ``jobs``."""
    parts = parts_of(request, PART)
    done: dict[Part, list[Decision]] = {}
    left = deque(parts)
    for part, decisions in run_parts(partial(_of_part, request), parts, jobs):
        done[part] = decisions
        while left and left[0] in done:
            yield from done.pop(left.popleft())


def _of_part(request: SimulationRequest, part: Part) -> list[Decision]:
    played = series(request, custom=True)
    if any(bot.search is not None for bot in played.bots):
        compiled_code.warm_searches(played.game.slug)
    return list(of_series(played, range(part.first, part.first + part.games)))


def of_series(played: Series, numbers: Iterable[int]) -> Iterator[Decision]:
    """Every decision of these matches, which are played as the arena plays them."""
    for number in numbers:
        choices: list[Choice] = []
        watched = replace(
            played, bots=tuple(_watched(played.game, bot, choices) for bot in played.bots)
        )
        outcome = watched.play(number).outcome
        yield from _with_result(played.game, played.options, number, choices, outcome)


def _watched(game: AnyGame, bot: Bot[Any], choices: list[Choice]) -> Bot[Any]:
    quick = compiled_code.quick(game, bot)

    def choose(view: Any, events: Sequence[Event], rng: Random) -> Move:
        move = quick.choose(view, events, rng)
        choices.append(Choice(len(choices), view, move, bot.slug))
        return move

    return replace(bot, choose=choose, search=None)


def of_record(record: Record, number: int) -> Iterator[Decision]:
    """Every decision of a match that was played to its end as it was dealt.

    None of one that was loaded from another or rolled back: its cards were dealt again, so what
    its players observed is not what the record lists. None of a seat after it resigned, for then a
    computer plays it. ``BadRecord`` for a record that contradicts itself.
    """
    if record.loaded_from is not None or any(line.undone for line in record.rounds):
        return
    playback = _Watching(record)
    outcome = play(record, playback)
    game, options = playback.game, playback.options
    if game.outcome(playback.state) is not None:
        yield from _with_result(game, options, number, playback.choices, outcome)


class _Watching(Playback):
    """A playback that notes every choice before it is made."""

    def __init__(self, record: Record) -> None:
        super().__init__(record, sealed=False)
        self.choices: list[Choice] = []
        self._players = [seat.bot or PERSON for seat in record.seats]

    @property
    def game(self) -> AnyGame:
        return self._game

    @property
    def options(self) -> Options:
        return self._seating.options

    def _step(self, seat: Seat, move: Move, noted: Any) -> Any:
        if seat not in self._resigned:
            view = self._game.view(self.state, seat)
            self.choices.append(Choice(self._version, view, move, self._players[seat]))
        return super()._step(seat, move, noted)


def _with_result(
    game: AnyGame, options: Options, number: int, choices: Iterable[Choice], outcome: Outcome
) -> Iterator[Decision]:
    """The choices among two or more, with how the match ended for their seats."""
    seats = game.seats(options)
    worth = rewards(game, outcome, seats)
    margins = by_margin(game, outcome, game.sides_of(options), seats)
    for choice in choices:
        seat = choice.view.seat
        legal = game.actions.among(choice.view.legal_moves)  # type: ignore[union-attr]
        if seat is None or len(legal) < 2:
            continue
        (action,) = game.actions.among((choice.move,))  # type: ignore[union-attr]
        yield Decision(
            number, choice.ply, seat, choice.player, game.observe(choice.view),  # type: ignore[misc]
            tuple(sorted(legal)), action, choice.move, worth[seat], margins[seat],
            outcome.places[seat],
        )  # fmt: skip


def readable(records: Iterable[Record]) -> Iterator[tuple[int, list[Decision]]]:
    """The number of each record and its decisions; none where it cannot be used."""
    for number, record in enumerate(records):
        try:
            yield number, list(of_record(record, number))
        except BadRecord:
            yield number, []
