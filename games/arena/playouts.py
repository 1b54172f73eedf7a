"""One match from the first deal to its outcome, played by bots through the contract of a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from games.arena.errors import ArenaError, BotFault
from games.arena.measures import PLIES, ROUNDS, measures_of, tag
from games.arena.players import EventPlayer, seat_player
from games.rules.bot import Bot
from games.rules.errors import MoveRefused
from games.rules.game import AnyGame
from games.rules.seats import pick_seat
from games.rules.shuffles import Shuffle
from games.rules.values import Event, Measure, Options, Outcome, Setup, Step


@dataclass(frozen=True)
class Playout:
    """How a match ended, what was measured in it, and how often each type of event happened."""

    outcome: Outcome
    measures: Mapping[str, int]
    events: Mapping[str, int]


class EventCounter:
    """Counts what happens in one match."""

    def __init__(self, game: AnyGame) -> None:
        self._measures = measures_of(game)
        self._by_type: dict[type[Event], int] = {}
        self._measured = {measure.name: 0 for measure in game.measures}
        self.rounds = 0
        self.plies = 0

    def count(self, step: Step[Any]) -> None:
        self.rounds += step.scores is not None
        by_type, measures = self._by_type, self._measures
        for event in step.events:
            kind = type(event)
            by_type[kind] = by_type.get(kind, 0) + 1
            if kind in measures:
                self._measure(event, measures[kind])

    def _measure(self, event: Event, measures: Sequence[Measure]) -> None:
        for measure in measures:
            if measure.where is None or measure.where(event):
                self._measured[measure.name] += 1

    def playout(self, outcome: Outcome | None) -> Playout:
        if outcome is None:
            raise ArenaError("Nobody is to act, but the rules name no outcome.")
        return Playout(
            outcome,
            self._measured | {ROUNDS: self.rounds, PLIES: self.plies},
            {tag(kind): times for kind, times in self._by_type.items()},
        )


def play_match(
    game: AnyGame,
    options: Options,
    bots: Sequence[Bot[Any]],
    setups: Sequence[Setup],
    shuffle: Shuffle,
    rng: Random,
) -> Playout:
    """Plays ``bots`` (one a seat) to the end; chance comes from ``shuffle`` and ``rng`` alone.

    ``setups`` are what they bring, completed by the game.

    A seat with a single legal move is not asked, unless this move represents others. Of several
    seats that may act at once ``rng`` picks one. Raises ``BotFault`` when a bot breaks the rules.
    """
    players = [seat_player(game, seat, bot, rng) for seat, bot in enumerate(bots)]
    observers = [player for player in players if isinstance(player, EventPlayer)]
    counter = EventCounter(game)
    to_act, legal_moves, play = game.to_act, game.legal_moves, game.play

    step: Step[Any] = game.start(options, setups, shuffle)
    counter.count(step)
    for observer in observers:
        observer.observe(step)
    while acting := to_act(step.state):
        seat, state = pick_seat(acting, rng), step.state
        moves = legal_moves(state, seat)
        forced = len(moves) == 1 and not game.represents_others(moves[0])
        move = moves[0] if forced else players[seat].choose(state, moves)
        try:
            step = play(state, seat, move, shuffle)
        except MoveRefused as refusal:
            raise BotFault(_fault(bots[seat], seat, move, refusal, moves)) from refusal
        counter.plies += 1
        counter.count(step)
        for observer in observers:
            observer.observe(step)
    return counter.playout(game.outcome(step.state))


def _fault(
    bot: Bot[Any], seat: int, move: object, refusal: MoveRefused, moves: Sequence[str]
) -> str:
    allowed = ", ".join(moves[:12]) + (", …" if len(moves) > 12 else "")
    return f"Bot {bot.slug!r} at seat {seat} played {move!r}: {refusal} Allowed: {allowed}."
