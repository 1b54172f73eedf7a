"""The parameters of an OpenSpiel game: the options of the game and how it is dealt and rewarded.

OpenSpiel knows numbers, words and truth, and adds the defaults itself. So 0 stands for an option
that is left empty, and beside a preset an option counts only where it is not the default.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from cardroom.arena.errors import BadRequest
from cardroom.research.lineup import Lineup, lineup
from cardroom.research.rewards import check_reward
from cardroom.research.spiel.chance import CHANCES
from cardroom.research.spiel.tree import Tree
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options

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
    """What is not the default, as OpenSpiel writes it into the name of a game."""
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
