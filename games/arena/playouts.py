"""One match from the first deal to its outcome, played by bots through the contract of a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from games.arena.errors import ArenaError, BotFault
from games.arena.measures import PLIES, ROUNDS, Measure, measures_of, tag
from games.arena.players import Rememberer, seat_player
from games.rules.bot import Bot
from games.rules.errors import MoveRefused
from games.rules.game import AnyGame
from games.rules.shuffles import Shuffle
from games.rules.values import Event, Options, Outcome, Setup, Step


@dataclass(frozen=True)
class Playout:
    """How a match ended, what was measured in it, and how often each type of event happened."""

    outcome: Outcome
    measures: Mapping[str, int]
    events: Mapping[str, int]


class _Notes:
    """Counts what happens in one match."""

    def __init__(self, measures: Mapping[type[Event], Measure]) -> None:
        self._where = measures
        self._by_type: dict[type[Event], int] = {}
        self._measured = {measure.name: 0 for measure in measures.values()}
        self.rounds = 0
        self.plies = 0

    def note(self, step: Step[Any]) -> None:
        self.rounds += step.scores is not None
        by_type, where = self._by_type, self._where
        for event in step.events:
            kind = type(event)
            by_type[kind] = by_type.get(kind, 0) + 1
            if kind in where and where[kind].where(event):
                self._measured[where[kind].name] += 1

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
    shuffle: Shuffle,
    rng: Random,
    setups: Sequence[Setup] | None = None,
) -> Playout:
    """Plays ``bots`` (one a seat) to the end; chance comes from ``shuffle`` and ``rng`` alone.

    A seat with a single legal move is not asked, unless that is of several words: it may stand for
    others (the order in which a Pyanitsa taker collects). Where several seats may act at once they
    do so in the order of their numbers. Raises ``BotFault`` when a bot breaks the rules.
    """
    players = [seat_player(game, seat, bot, rng) for seat, bot in enumerate(bots)]
    listeners = [player for player in players if isinstance(player, Rememberer)]
    notes = _Notes(measures_of(game))
    to_act, legal_moves, play = game.to_act, game.legal_moves, game.play

    step: Step[Any] = game.start(options, setups or seat_bots(game, options, bots), shuffle)
    notes.note(step)
    for listener in listeners:
        listener.hear(step)
    while acting := to_act(step.state):
        seat, state = acting[0], step.state
        moves = legal_moves(state, seat)
        forced = len(moves) == 1 and " " not in moves[0]
        move = moves[0] if forced else players[seat].choose(state, moves)
        try:
            step = play(state, seat, move, shuffle)
        except MoveRefused as refusal:
            raise BotFault(_fault(bots[seat], seat, move, refusal, moves)) from refusal
        notes.plies += 1
        notes.note(step)
        for listener in listeners:
            listener.hear(step)
    return notes.playout(game.outcome(step.state))


def seat_bots(game: AnyGame, options: Options, bots: Sequence[Bot[Any]]) -> tuple[Setup, ...]:
    """What the bots bring to the table, completed by the game (a side deck, say)."""
    return tuple(game.complete_setup(options, Setup(name=bot.name, bot=bot.slug)) for bot in bots)


def _fault(
    bot: Bot[Any], seat: int, move: object, refusal: MoveRefused, moves: Sequence[str]
) -> str:
    allowed = ", ".join(moves[:12]) + (", …" if len(moves) > 12 else "")
    return f"Bot {bot.slug!r} at seat {seat} played {move!r}: {refusal} Allowed: {allowed}."
