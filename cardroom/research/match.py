"""One running match: learners move by action numbers, bots move by themselves."""

from collections.abc import Mapping
from copy import copy
from typing import Any, Final

from cardroom.arena.players.event_player import EventPlayer, Player, ViewPlayer, seat_player
from cardroom.arena.series import generator
from cardroom.research.lineup import Lineup
from cardroom.rules.seats import pick_seat
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Event, Move, Outcome, Seat, Step

# Environments cut a longer match off unless they are given another number. Played at random few
# matches have a tenth of it; players that repeat themselves may never end one.
LONGEST: Final = 10_000


class RunningMatch:
    """Match ``number`` of a seed: the decks and the bots' chances are those of the arena.

    A copy and a pickle go on by themselves as this one does: with the same decks to come, and with
    bots that remember the same.
    """

    def __init__(self, lineup: Lineup, seed: int, number: int = 0) -> None:
        self.lineup = lineup
        self.plies = 0
        self.events: list[Event] = []
        self.round_began = 0  # the number of the event that opened the running round
        self._chance = generator(seed, "decks", number)
        self._rng = generator(seed, "bots", number)
        self._seat_bots({})
        self._take(self.game.start(lineup.options, lineup.setups, self._shuffle))
        self._let_bots_play()

    def _seat_bots(self, remembered: Mapping[Seat, list[Event]]) -> None:
        """Makes what cannot be copied or pickled from what can."""
        self.game = self.lineup.game
        self._shuffle = seeded(self._chance)
        self._players: dict[Seat, Player] = {
            seat: seat_player(self.game, seat, bot, self._rng)
            for seat, bot in self.lineup.bots.items()
        }
        for seat, player in self._players.items():
            if isinstance(player, ViewPlayer):
                player.remembered = list(remembered.get(seat, ()))
        self._observers = [p for p in self._players.values() if isinstance(p, EventPlayer)]

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
        other = RunningMatch.__new__(RunningMatch)
        other.__setstate__(self.__getstate__())
        return other

    def __deepcopy__(self, _memo: Any) -> "RunningMatch":
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        derived = ("game", "_shuffle", "_players", "_observers")
        kept = {name: value for name, value in vars(self).items() if name not in derived}
        remembered = {
            seat: list(player.remembered)
            for seat, player in self._players.items()
            if isinstance(player, ViewPlayer)
        }
        own = {"events": list(self.events), "_chance": copy(self._chance), "_rng": copy(self._rng)}
        return {**kept, **own, "remembered": remembered}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        remembered = kept.pop("remembered")
        vars(self).update(kept)
        self._seat_bots(remembered)

    def seen_since(self, seat: Seat, first: int) -> list[Event]:
        """The events from number ``first`` on, as the seat saw them."""
        return [event.seen_by(seat) for event in self.events[first:]]

    def observed(self, seat: Seat) -> Any:
        """The numbers of ``Game.observe`` for a seat."""
        return self.game.observe(self.game.view(self.state, seat))  # type: ignore[misc]

    def _take(self, step: Step[Any]) -> None:
        self.state = step.state
        self.plies += 1
        for number, event in enumerate(step.events, start=len(self.events)):
            if type(event) is self.game.opening:
                self.round_began = number
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
