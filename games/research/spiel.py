"""Any game of the catalogue as a game of OpenSpiel, through its Python interface.

    game = spiel_game(slug, seed=7)
    state = game.new_initial_state()
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[0])

The first node is one of chance: it deals a match that nobody has seen, the next one of the seed;
OpenSpiel calls this sampled stochastic. ``Game.observe`` is the observation tensor. A copy of a
state goes on with the same decks. Of several seats that may act at once the lowest acts first.
"""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import numpy
import pyspiel

from games.research.lineup import Lineup, lineup
from games.research.match import RunningMatch, rewards
from games.research.words import in_words
from games.rules.values import Move

DEAL = 0  # the one outcome of the chance node
LONGEST = 100_000


def spiel_game(
    game: str,
    *,
    seed: int = 0,
    preset: str | None = None,
    options: Mapping[str, Any] | None = None,
    side_decks: Sequence[Sequence[str]] = (),
) -> "SpielGame":
    """``BadRequest`` for names and options that there are not."""
    return SpielGame(lineup(game, preset=preset, options=options, side_decks=side_decks), seed)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """See the module; made by ``spiel_game``."""

    def __init__(self, lineup: Lineup, seed: int) -> None:
        players = len(lineup.setups)
        super().__init__(_type_of(lineup), _info_of(lineup, players), {})
        self.lineup = lineup
        self._seed = seed
        self._numbers = count()

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def deal(self) -> RunningMatch:
        return RunningMatch(self.lineup, self._seed, next(self._numbers))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SpielObserver":
        return SpielObserver(self.lineup)


class SpielState(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._game = game
        self._match: RunningMatch | None = None

    def clone(self) -> "SpielState":
        other = SpielState(self._game)
        other._match = None if self._match is None else self._match.copy()
        return other

    def current_player(self) -> int:
        if self._match is None:
            return int(pyspiel.PlayerId.CHANCE)
        if not self._match.to_act:
            return int(pyspiel.PlayerId.TERMINAL)
        return self._match.to_act[0]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(DEAL, 1.0)]

    def is_terminal(self) -> bool:
        return self._match is not None and not self._match.to_act

    def returns(self) -> list[float]:
        lineup, players = self._game.lineup, len(self._game.lineup.setups)
        outcome = None if self._match is None else self._match.outcome
        return [0.0] * players if outcome is None else list(rewards(lineup.game, outcome, players))

    def observation_tensor(self, player: int) -> list[float]:
        if self._match is None:
            return [0.0] * self._game.lineup.game.observation.size  # type: ignore[union-attr]
        return list(map(float, _observed(self._match, player)))

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._moves(player)) if self._match is not None else [DEAL]

    def _apply_action(self, action: int) -> None:
        if self._match is None:
            self._match = self._game.deal()
            return
        seat = self.current_player()
        self._match.play(seat, self._moves(seat)[action])

    def _moves(self, player: int) -> Mapping[int, Move]:
        assert self._match is not None  # noqa: S101 - the deal comes first
        return self._match.moves(player)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return "deal"
        texts: tuple[str, ...] = self._game.lineup.game.actions.texts  # type: ignore[union-attr]
        return texts[action]

    def __str__(self) -> str:
        if self._match is None:
            return "Not dealt yet."
        return in_words(self._game.lineup, self._match.events)


class SpielObserver:
    """Writes the view of a player into ``tensor``, as ``Game.observe`` does."""

    def __init__(self, lineup: Lineup) -> None:
        size = lineup.game.observation.size  # type: ignore[union-attr]
        self.tensor = numpy.zeros(size, numpy.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor[:] = state.observation_tensor(player)

    def string_from(self, state: SpielState, player: int) -> str:
        return " ".join(f"{number:g}" for number in state.observation_tensor(player))


def _observed(match: RunningMatch, seat: int) -> Any:
    game = match.game
    return game.observe(game.view(match.state, seat))  # type: ignore[misc]


def _type_of(lineup: Lineup) -> Any:
    players = len(lineup.setups)
    return pyspiel.GameType(
        short_name=f"cardroom_{lineup.game.slug}",
        long_name=lineup.game.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=True,
        parameter_specification={},
    )


def _info_of(lineup: Lineup, players: int) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=len(lineup.game.actions.texts),  # type: ignore[union-attr]
        max_chance_outcomes=1,
        num_players=players,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=LONGEST,
    )
