"""One running match: learners move by action numbers, bots move by themselves."""

from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from random import Random
from typing import Any

from games.arena.players.event_player import EventPlayer, seat_player
from games.arena.series import generator
from games.research.lineup import Lineup
from games.rules.game import AnyGame
from games.rules.seats import pick_seat
from games.rules.shuffles import seeded
from games.rules.values import Event, Move, Outcome, Seat, Step


class RunningMatch:
    """Match ``number`` of a seed: the decks and the bots' chances are those of the arena."""

    def __init__(self, lineup: Lineup, seed: int, number: int = 0) -> None:
        self.game = lineup.game
        self.plies = 0
        self.events: list[Event] = []
        self._use(generator(seed, "decks", number))
        self._rng = generator(seed, "bots", number)
        self._players = {
            seat: seat_player(lineup.game, seat, bot, self._rng)
            for seat, bot in lineup.bots.items()
        }
        self._observers = [p for p in self._players.values() if isinstance(p, EventPlayer)]
        self._take(lineup.game.start(lineup.options, lineup.setups, self._shuffle))
        self._let_bots_play()

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The learners that may act now; nobody once the match is over."""
        return self._to_act

    @property
    def outcome(self) -> Outcome | None:
        outcome: Outcome | None = self.game.outcome(self.state)
        return outcome

    def moves(self, seat: Seat) -> Mapping[int, Move]:
        """The legal actions of a seat, each with the move that it plays."""
        actions: Mapping[int, Move] = self.game.actions.among(  # type: ignore[union-attr]
            self.game.legal_moves(self.state, seat)
        )
        return actions

    def play(self, seat: Seat, move: Move) -> None:
        """Plays a move of a learner and then every bot that follows."""
        self._take(self.game.play(self.state, seat, move, self._shuffle))
        self._let_bots_play()

    def copy(self) -> "RunningMatch":
        """A match that goes on by itself with the same decks to come. No bot may play in it."""
        assert not self._players  # noqa: S101 - what a bot remembers is not copied
        other = copy(self)
        other.events = list(self.events)
        other._use(deepcopy(self._chance))  # noqa: SLF001 - a match like this one
        return other

    def seen_since(self, seat: Seat, first: int) -> list[Event]:
        """The events from number ``first`` on, as the seat saw them."""
        return [event.seen_by(seat) for event in self.events[first:]]

    def _use(self, chance: Random) -> None:
        self._chance = chance
        self._shuffle = seeded(chance)

    def _take(self, step: Step[Any]) -> None:
        self.state = step.state
        self.plies += 1
        self.events += step.events
        for player in self._observers:
            player.observe(step)

    def _let_bots_play(self) -> None:
        game, players = self.game, self._players
        acting = game.to_act(self.state)
        while players and (bots := [seat for seat in acting if seat in players]):
            seat, state = pick_seat(bots, self._rng), self.state
            moves = game.legal_moves(state, seat)
            forced = len(moves) == 1 and not game.represents_others(moves[0])
            move = moves[0] if forced else players[seat].choose(state, moves)
            self._take(game.play(state, seat, move, self._shuffle))
            acting = game.to_act(self.state)
        self._to_act: tuple[Seat, ...] = acting


def rewards(game: AnyGame, outcome: Outcome, seats: int) -> tuple[float, ...]:
    """What a finished match is worth to every seat, from -1 to 1; the sum is zero.

    A single winner has 1 and every other seat an equal part of -1; winners share what they win, and
    a match that all win is worth nothing to anybody. Where points are places, which is where there
    may be a loser only, every place counts.
    """
    if game.points_are_places:
        return by_place(outcome.places)
    share, fair = 1 / len(outcome.winners), 1 / seats
    scale = seats / (seats - 1)
    return tuple(
        ((share if seat in outcome.winners else 0.0) - fair) * scale for seat in range(seats)
    )


def by_place(places: Sequence[int]) -> tuple[float, ...]:
    """1 for each seat that one is ahead of and -1 for each that one is behind, shared by all."""
    others = len(places) - 1
    return tuple(
        sum((mine < place) - (place < mine) for place in places) / others for mine in places
    )
