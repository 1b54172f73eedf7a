"""Small games whose deals are listed: a game is cut down to what an exact solver can walk.

``register_listed`` makes OpenSpiel know one. Its one node of chance deals one of the worlds, states
of the true rules that are equally likely; then the rules play on.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyspiel

from cardroom.research.lineup import Lineup
from cardroom.research.rewards import Reward
from cardroom.research.spiel.game import SpielGame, game_type, register, short_name
from cardroom.research.spiel.tree import ListedTree
from cardroom.rules.values import State

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
