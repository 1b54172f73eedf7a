"""Many matches of the same bots, each of them fixed by the seed and its number.

Match ``i`` draws its decks and the bots' chances from streams (``cardroom.rules.shuffles``) that
depend on the seed and on ``i`` alone: it is the same match in any process and any order. With
``swap`` every sequence of decks is played once with every rotation of the seating, so that no
entrant wins by better cards or a better seat.

One match of a series played again by the rules, move by move, in words.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from time import thread_time_ns
from typing import Any

import msgspec

from cardroom.arena import compiled_code
from cardroom.arena.figures import Figures, figures_of, merge, unpaired_of
from cardroom.arena.players import Entrant, SideDecks, entrants, rotations
from cardroom.arena.playouts import MatchInPlay, PausedMatch, Playout, play_match
from cardroom.arena.statistics import BadRequest, BotFault
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import Stream, StreamState, seeded, start
from cardroom.rules.values import Event, Move, Options, Setup, Step


class Clock(msgspec.Struct):
    """The processor time a bot thought, over all its moves that were a choice."""

    moves: int = 0
    nanoseconds: int = 0

    @property
    def microseconds_a_move(self) -> float:
        return self.nanoseconds / self.moves / 1000 if self.moves else 0.0


class PausedNumber(msgspec.Struct, frozen=True):
    """A match of a series between two moves, with its generators as they stand."""

    match: PausedMatch
    chance: StreamState
    rng: StreamState


class MatchRecord(msgspec.Struct, frozen=True):
    """One match in a line: its seed and number, the number of its decks, who sat where, the end.

    ``seats`` are the entrants, ``points`` one a side, ``places`` one a seat (1 is best).
    """

    seed: int
    number: int
    decks: int
    seats: tuple[str, ...]
    winners: tuple[int, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]
    reason: str
    measures: dict[str, int]


@dataclass(frozen=True, eq=False)
class Series:
    """A series of matches: ``bots`` and ``side_decks`` one a seat.

    ``swap`` plays equal decks with every rotation.
    """

    game: AnyGame
    options: Options
    bots: tuple[Bot[Any], ...]
    seed: int
    swap: bool = False
    side_decks: SideDecks = ()

    @cached_property
    def seatings(self) -> tuple[tuple[Entrant, ...], ...]:
        """The different rotations of the entrants, the one asked for first."""
        seated = entrants(self.bots, self.side_decks)
        return rotations(seated) if self.swap else (seated,)

    @cached_property
    def _seated(self) -> tuple[tuple[Entrant, ...], ...]:
        """The seatings as they are played: each search in its compiled form, if that is ready."""
        return tuple(
            tuple(replace(each, bot=compiled_code.quick(self.game, each.bot)) for each in seating)
            for seating in self.seatings
        )

    @cached_property
    def setups(self) -> tuple[tuple[Setup, ...], ...]:
        """The setups of the seats, by rotation."""
        return tuple(
            tuple(self.game.complete_setup(self.options, entrant.setup()) for entrant in seating)
            for seating in self.seatings
        )

    def play(self, number: int, clocks: Mapping[str, Clock] | None = None) -> Playout:
        """Plays match ``number`` (from 0); ``clocks``, by entrant, are wound on when given."""
        deal, rotation = divmod(number, len(self.seatings))
        seating = self._seated[rotation]
        try:
            return play_match(
                self.game,
                self.options,
                tuple(each.bot if clocks is None else _timed(each, clocks) for each in seating),
                self.setups[rotation],
                seeded(generator(self.seed, "decks", deal)),
                generator(self.seed, "bots", number),
            )
        except BotFault as fault:
            again = replay_command(self, number)
            where = f"Seed {self.seed}, match {number}. To play it again: {again}"
            raise BotFault(f"{fault} {where}") from fault.__cause__

    def play_until(
        self, number: int, stop: Callable[[], bool], paused: "PausedNumber | None" = None
    ) -> "Playout | PausedNumber":
        """Match ``number`` from its start or from where it paused, until ``stop`` says so."""
        deal, rotation = divmod(number, len(self.seatings))
        chance = generator(self.seed, "decks", deal)
        rng = generator(self.seed, "bots", number)
        bots = tuple(entrant.bot for entrant in self._seated[rotation])
        match = MatchInPlay(self.game, bots, seeded(chance), rng)
        if paused is None:
            match.begin(self.options, self.setups[rotation])
        else:
            chance.setstate(paused.chance)
            rng.setstate(paused.rng)
            match.resume(paused.match)
        played = match.play(stop)
        return played or PausedNumber(match.paused(), chance.getstate(), rng.getstate())

    def figures_of(self, number: int, playout: Playout) -> Figures:
        """The figures of one match that was played by itself."""
        deal, rotation = divmod(number, len(self.seatings))
        names = [each.name for each in self.seatings[rotation]]
        figures = figures_of(playout, names, self.game.sides_of(self.options))
        if len(self.seatings) == 1:
            return figures
        unpaired = {deal: unpaired_of(figures.bots, len(self.seatings))}
        return msgspec.structs.replace(figures, unpaired=unpaired)

    def record(
        self,
        number: int,
        reason: str,
        points: tuple[int, ...],
        places: tuple[int, ...],
        measures: dict[str, int],
    ) -> MatchRecord:
        """The record of a match that ended so."""
        deal, rotation = divmod(number, len(self.seatings))
        return MatchRecord(
            seed=self.seed,
            number=number,
            decks=deal,
            seats=tuple(each.name for each in self.seatings[rotation]),
            winners=tuple(seat for seat, place in enumerate(places) if place == 1),
            points=points,
            places=places,
            reason=reason,
            measures=measures,
        )

    def record_of(self, number: int, playout: Playout) -> MatchRecord:
        ended = playout.outcome
        measures = dict(playout.measures)
        return self.record(number, ended.reason, ended.points, ended.places, measures)

    def figures(self, numbers: Iterable[int], clocks: Mapping[str, Clock] | None = None) -> Figures:
        """The figures of the matches with these numbers."""
        return merge(self._each(numbers, clocks))

    def _each(
        self, numbers: Iterable[int], clocks: Mapping[str, Clock] | None
    ) -> Iterator[Figures]:
        for number in numbers:
            yield self.figures_of(number, self.play(number, clocks))


def replay_command(matches: Series, number: int) -> str:
    """The command that plays match ``number`` of these again."""
    usual = msgspec.to_builtins(matches.game.options())
    chosen = msgspec.to_builtins(matches.options)
    words = ["manage.py", "arena", matches.game.slug, *(bot.slug for bot in matches.bots)]
    for name, value in chosen.items():
        if value != usual[name]:
            words += ["--option", f"{name}={_as_read(value)}"]
    words += [] if matches.swap else ["--as-seated"]
    return shlex.join([*words, "--replay", f"{matches.seed}:{number}", "--show"])


def _as_read(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def generator(seed: int, purpose: str, number: int) -> Stream:
    """A generator of its own for every purpose and number under the seed."""
    return Stream(start(seed, purpose, number))


def _timed(entrant: Entrant, clocks: Mapping[str, Clock]) -> Bot[Any]:
    """The entrant's bot with a stopwatch on its choices."""
    bot, clock = entrant.bot, clocks[entrant.name]

    def choose(view: Any, events: Sequence[Event], rng: Random) -> Move:
        started = thread_time_ns()
        move = bot.choose(view, events, rng)
        clock.nanoseconds += thread_time_ns() - started
        clock.moves += 1
        return move

    return replace(bot, choose=choose)


def read_number(text: str) -> tuple[int, int]:
    """``SEED:NUMBER``, as a fault and a match's record name it."""
    seed, colon, number = text.partition(":")
    if not (colon and seed.isdecimal() and number.isdecimal()):
        raise BadRequest(f"A match is named SEED:NUMBER, as 7:250, not {text!r}.")
    return int(seed), int(number)


def replay(matches: Series, number: int) -> MatchRecord:
    """The record of the match, as it was the first time."""
    return matches.record_of(number, matches.play(number))


def tell(matches: Series, number: int) -> Iterator[str]:
    """The match in lines as it is played; cards that only some seats know are named.

    When a bot breaks the rules the ``BotFault`` follows the last move before it.
    """
    deal, rotation = divmod(number, len(matches.seatings))
    seating = matches.seatings[rotation]
    chance, rng = generator(matches.seed, "decks", deal), generator(matches.seed, "bots", number)
    match = MatchInWords(matches, seating, seeded(chance), rng)
    match.begin(matches.options, matches.setups[rotation])
    while True:
        try:
            played = match.play(lambda: True)
        except Exception as error:
            yield from match.take()
            fault = error if isinstance(error, BotFault) else match.fault_in(error)
            if fault is None:
                raise
            raise fault from error
        yield from match.take()
        if played is not None:
            break
    record = matches.record_of(number, played)
    yield f"{record.reason}: points {record.points}, places {record.places}"


class MatchInWords(MatchInPlay):
    """A match that keeps what happens in words until it is taken."""

    def __init__(
        self, matches: Series, seating: tuple[Entrant, ...], shuffle: Any, rng: Random
    ) -> None:
        super().__init__(matches.game, [each.bot for each in seating], shuffle, rng)
        self._narrator, self._lines = matches.game, list[str]()
        self._names = [f"{each.name} ({seat})" for seat, each in enumerate(seating)]
        self._ply = 0

    def _record(self, step: Step[Any]) -> None:
        super()._record(step)
        sentences = [str(self._narrator.sentence(event, self._names)) for event in step.events]
        start = f"{self._ply:>4} {step.move:<8} "
        self._ply += 1
        self._lines += [
            (start if at == 0 else " " * len(start)) + s for at, s in enumerate(sentences)
        ]

    def take(self) -> list[str]:
        lines, self._lines = self._lines, []
        return lines
