"""The interface of OpenSpiel: a game, its states, and their observers.

The parameters of an OpenSpiel game: the options of the game and how it is dealt and rewarded.

OpenSpiel knows numbers, text and booleans, and adds the defaults itself. So 0 stands for an option
that is left empty, and beside a preset an option counts only where it is not the default.

Small games whose deals are listed: a game is cut down to what an exact solver can walk.

``register_listed`` makes OpenSpiel know one. Its one node of chance deals one of the worlds, states
of the true rules that are equally likely; then the rules play on.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

import msgspec
import numpy
import pyspiel

from cardroom.arena.statistics import BadRequest
from cardroom.research.environment import REWARDS, Lineup, Reward, check_reward, lineup
from cardroom.research.spiel import tree as chance
from cardroom.research.spiel.tree import CHANCES, ListedTree, Node, Tree
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options, State

LONGEST: Final = 10_000
OF_ALL: Final[Mapping[str, Any]] = {
    "preset": "",
    "chance": "seed",
    "reward": "winners",
    "max_length": LONGEST,
}
DECK: Final = "side_deck_{}"

Parameters = Mapping[str, Any]
_KNOWN: Final = (int, str, type(None))


def specification(game: AnyGame) -> dict[str, Any]:
    """Every parameter of a game with its default."""
    decks = range(game.max_seats) if game.needs_side_deck else ()
    return {
        **_numbers(game.choose_options()),
        **OF_ALL,
        **{DECK.format(seat): "" for seat in decks},
    }


def parameters_of(
    options: Options, side_decks: Sequence[Sequence[str]], others: Mapping[str, Any]
) -> dict[str, Any]:
    """Parameters that are not the default, as OpenSpiel writes them into the name of a game."""
    chosen = {
        **_numbers(options),
        **{DECK.format(seat): " ".join(deck) for seat, deck in enumerate(side_decks)},
        **others,
    }
    defaults = {**_numbers(type(options)()), **OF_ALL}
    return {name: value for name, value in chosen.items() if value != defaults.get(name)}


def tree_of(slug: str, given: Mapping[str, Any]) -> Tree:
    """``BadRequest`` for values that there are not."""
    game = catalog.find(slug)
    parameters = {**specification(game), **given}
    if parameters["chance"] not in CHANCES:
        known = ", ".join(CHANCES)
        raise BadRequest(f"There is no chance {parameters['chance']!r}; there are: {known}.")
    return Tree(
        _lineup(game, parameters),
        parameters["chance"],
        check_reward(parameters["reward"]),
        parameters["max_length"],
        made_of=(tree_of, (slug, dict(given))),
    )


def _lineup(game: AnyGame, parameters: Parameters) -> Lineup:
    defaults = msgspec.structs.asdict(game.choose_options())
    chosen = {
        name: None if value == 0 and _may_be_empty(game, name) else value
        for name, default in defaults.items()
        if name in parameters and (value := parameters[name]) != _number(default)
    }
    decks = [parameters[name].split() for name in parameters if name.startswith(DECK.format(""))]
    return lineup(
        game.slug,
        preset=parameters["preset"] or None,
        options=chosen,
        side_decks=decks if any(decks) else (),
    )


def _may_be_empty(game: AnyGame, name: str) -> bool:
    try:
        msgspec.convert({name: None}, game.options)
    except msgspec.ValidationError:
        return False
    return True


def _numbers(options: Options) -> dict[str, Any]:
    """The options that OpenSpiel can name; a game from outside may have others."""
    fields = msgspec.structs.asdict(options).items()
    return {name: _number(value) for name, value in fields if isinstance(value, _KNOWN)}


def _number(value: Any) -> Any:
    return 0 if value is None else value


WIDEST = 1_000_000.0  # a margin of points that no match reaches; OpenSpiel wants a bound
MOST_DECKS = 1_000  # likewise of the decks of a match


def spiel_game(
    game: str,
    *,
    preset: str | None = None,
    options: Mapping[str, Any] | None = None,
    side_decks: Sequence[Sequence[str]] = (),
    chance: str = "seed",
    reward: str = "winners",
    max_length: int = LONGEST,
) -> "SpielGame":
    """``BadRequest`` for names and options that there are not."""
    chosen = lineup(game, preset=preset, options=options, side_decks=side_decks)
    others = {"chance": chance, "reward": reward, "max_length": max_length}
    given = parameters_of(chosen.options, side_decks, others)
    tree_of(chosen.game.slug, given)  # a fault is said before OpenSpiel ends the program
    made: SpielGame = pyspiel.load_game(short_name(chosen.game.slug), given)
    return made


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """See the package; made by ``pyspiel.load_game``."""

    def __init__(self, game_type: Any, tree: Tree, given: Mapping[str, Any]) -> None:
        super().__init__(game_type, _info_of(tree), dict(given))
        self.tree = tree

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (self.get_type().short_name, self.get_parameters())

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        if isinstance(self.tree, ListedTree):
            return 1
        of_deck = chance.DIGITS if self.tree.chance == "seed" else chance.MOST_CARDS
        return of_deck * MOST_DECKS

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SpielObserver":
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return SpielObserver(self.tree, recalls)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """OpenSpiel copies and pickles the attributes, and keeps the history itself."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.tree = game.tree
        self.node: Node = game.tree.root

    def current_player(self) -> int:
        if self.node.dealing is not None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.tree.is_over(self.node):
            return int(pyspiel.PlayerId.TERMINAL)
        return self.node.to_act[0]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        assert self.node.dealing is not None  # noqa: S101 - chance is to act
        return chance.outcomes(self.node.dealing, self.tree.chance)

    def is_terminal(self) -> bool:
        return self.tree.is_over(self.node)

    def returns(self) -> list[float]:
        return self.tree.returns(self.node)

    def resample_from_infostate(
        self, player: int, sampler: Callable[[], float] | None = None
    ) -> "SpielState":
        """A state that the player cannot tell from this one; ``sampler`` gives numbers from 0 to 1.

        Without a sampler chance is the program's own.
        """
        rng = Random() if sampler is None else Random(int(sampler() * 2**53))
        if isinstance(self.tree, ListedTree):
            other = SpielState(self.get_game())
            for action in self.tree.alike(self.node, player, rng):
                other.apply_action(action)
            return other
        imagined: SpielState = self.clone()
        imagined.node = self.tree.imagined(self.node, player, rng)
        return imagined

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.tree.moves(self.node))

    def _apply_action(self, action: int) -> None:
        self.node = self.tree.child(self.node, action)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.tree.game
        if player == pyspiel.PlayerId.CHANCE:
            return self._chance_in_words(action)
        texts: tuple[str, ...] = game.actions.texts  # type: ignore[union-attr]
        return texts[action]

    def _chance_in_words(self, action: int) -> str:
        dealing = self.node.dealing
        if dealing is None or isinstance(self.tree, ListedTree):
            return f"chance {action}"
        return chance.in_words(dealing, action, self.tree.chance, self.tree.game.card_text)

    def __str__(self) -> str:
        """The state with what chance has brought so far; OpenSpiel compares states by it."""
        return self.tree.text(self.node)


class SpielObserver:
    """Writes the view of a player into ``tensor``, as ``Game.observe`` does. With perfect recall it
    has no tensor, and its text has the memory.
    """

    def __init__(self, tree: Tree, recalls: bool) -> None:  # noqa: FBT001
        self._tree, self._recalls = tree, recalls
        size = tree.game.observation.size  # type: ignore[union-attr]
        self.tensor = None if recalls else numpy.zeros(size, numpy.float32)
        self.dict = {} if recalls else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        if self.tensor is not None:
            observed = self._tree.observed(state.node, player)
            self.tensor[:] = 0 if observed is None else observed

    def string_from(self, state: SpielState, player: int) -> str:
        if self._recalls:
            return self._tree.information(state.node, player)
        return " ".join(map(str, self._tree.observed(state.node, player) or ()))


def short_name(slug: str) -> str:
    return f"cardroom_{slug.replace('-', '_')}"


def game_type(
    name: str, long_name: str, seats: tuple[int, int], parameters: Mapping[str, Any]
) -> Any:
    fewest, most = seats
    return pyspiel.GameType(
        short_name=name,
        long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(parameters),
    )


def register(kind: Any, make: Callable[[Mapping[str, Any]], Tree]) -> None:
    """Makes OpenSpiel know a game of this type; ``make`` is given its parameters."""
    defaults = kind.parameter_specification

    def create(given: Mapping[str, Any]) -> SpielGame:
        chosen = {name: value for name, value in given.items() if value != defaults[name]}
        return SpielGame(kind, make(chosen), chosen)

    # OpenSpiel lets go of it after the interpreter has ended, when nothing can be freed any more.
    # An object that refers to itself is not freed.
    create.itself = create  # type: ignore[attr-defined]
    pyspiel.register_game(kind, create)


def _info_of(tree: Tree) -> Any:
    most = WIDEST if tree.reward == REWARDS[-1] else 1.0
    outcomes = (
        len(tree.worlds) if isinstance(tree, ListedTree) else chance.most_outcomes(tree.chance)
    )
    return pyspiel.GameInfo(
        num_distinct_actions=len(tree.game.actions.texts),  # type: ignore[union-attr]
        max_chance_outcomes=outcomes,
        num_players=tree.players,
        min_utility=-most,
        max_utility=most,
        utility_sum=0.0,
        max_game_length=tree.limit,
    )


def _register_game(game: AnyGame) -> None:
    kind = game_type(
        short_name(game.slug), game.name, (game.min_seats, game.max_seats), specification(game)
    )
    register(kind, lambda given: tree_of(game.slug, given))


for _game in catalog.GAMES:
    if _game.actions is not None and _game.observe is not None:
        _register_game(_game)

Listing = Callable[..., tuple[Lineup, Sequence[State]]]


def register_listed(
    slug: str, long_name: str, worlds: Listing, sizes: Mapping[str, Any], reward: Reward
) -> None:
    """``worlds(**sizes)`` gives the lineup and the deals; ``sizes`` are the defaults."""
    kind = game_type(short_name(slug), long_name, (2, 2), sizes)
    register(kind, lambda given: listed_tree(worlds, {**sizes, **given}, reward))


def listed_tree(worlds: Listing, sizes: Mapping[str, Any], reward: Reward) -> ListedTree:
    lineup, states = worlds(**sizes)
    return ListedTree(lineup, states, reward, made_of=(listed_tree, (worlds, sizes, reward)))


def listed_game(slug: str, **sizes: Any) -> SpielGame:
    made: SpielGame = pyspiel.load_game(short_name(slug), sizes)
    return made
