"""The compiled code of a game: its kernel, and the searches of its bots.

A bot that searches may have a compiled form (``quick``): it plays by the rules with the others and
chooses, move for move, what the bot of the rules chooses.

Compiled code needs NumPy and Numba (the extra ``fast``). They are imported on first use,
which happens in commands and workers only. Without Numba everything is played by the rules.
"""

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module, util
from typing import TYPE_CHECKING, Any, Final

from cardroom.rules import catalog
from cardroom.rules.bot import Bot, Mixed, Search, Searching
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Chances

if TYPE_CHECKING:
    from cardroom.fast.binding import CompiledPart, CompiledSearch
    from cardroom.fast.kernel import Kernel

_LIBRARIES: Final = ("numpy", "numba")


def installed() -> bool:
    """Whether kernels can be compiled here and are wanted; imports nothing."""
    wanted = os.environ.get("CARDROOM_KERNELS", "compiled") == "compiled"
    return wanted and all(util.find_spec(name) is not None for name in _LIBRARIES)


@cache
def kernel_of_game(slug: str) -> "Kernel | None":
    """The kernel of a game if it has one."""
    package = _package(slug)
    if package is None:
        return None
    return import_module(package).KERNEL  # type: ignore[no-any-return]


def _package(slug: str) -> str | None:
    """The package of a game's compiled code, or None; a module of that name does not count."""
    name = f"cardroom.fast.{slug.replace('-', '_')}"
    spec = util.find_spec(name)
    return name if spec is not None and spec.submodule_search_locations else None


def covered_games() -> Mapping[str, "Kernel"]:
    """The kernels there are, by the slugs of their games."""
    kernels = {game.slug: kernel_of_game(game.slug) for game in catalog.GAMES}
    return {slug: kernel for slug, kernel in kernels.items() if kernel is not None}


def quick(game: AnyGame, bot: Bot[Any]) -> Bot[Any]:
    """The bot with the compiled form of its search and the same budget, if that is ready here.

    So is a bot that makes some of its moves as one that searches (``growth.Mixed``). It never
    compiles: ``warm_searches`` does. A bot without a compiled form comes back as it is.
    """
    searching = _searching(bot)
    search = None if searching is None else _compiled(game, searching.search)
    if searching is None or search is None or not _loaded(game.slug):
        return bot
    quicker = Searching(search, searching.playouts)
    if isinstance(bot.choose, Mixed):
        return replace(bot, choose=replace(bot.choose, better=quicker))
    return replace(bot, search=search, choose=quicker)


def _searching(bot: Bot[Any]) -> Searching[Any] | None:
    """The search by which the bot makes its moves, or those that it makes as a better one."""
    choose = bot.choose.better if isinstance(bot.choose, Mixed) else bot.choose
    return choose if isinstance(choose, Searching) else None


def quick_chances(game: AnyGame) -> Chances[Any] | None:
    """The luck of the game, with its worth compiled if that is ready here."""
    luck = _part_of_game(game.slug, "LUCK")
    if luck is None or game.chances is not catalog.find(game.slug).chances:
        return game.chances
    from cardroom.fast import kernel as warming

    ready = warming.load_searches(f"{game.slug}.luck", [luck])
    return luck.form if ready else game.chances


def warm_luck(slug: str) -> None:
    """Compiles what the luck of this game is worth, or loads it."""
    luck = _part_of_game(slug, "LUCK")
    if luck is not None:
        from cardroom.fast import kernel as warming

        warming.warm_searches(f"{slug}.luck", [luck])


def meeting_of_game(slug: str, *, compiles: bool = False) -> Any:
    """The meeting of two side decks, compiled, if that is ready here or may be compiled."""
    meeting = _part_of_game(slug, "MEETING")
    if meeting is None:
        return None
    from cardroom.fast import kernel as warming

    if compiles:
        warming.warm_searches(f"{slug}.meeting", [meeting])
    return meeting.form if warming.load_searches(f"{slug}.meeting", [meeting]) else None


def has_search(game: AnyGame, bot: Bot[Any]) -> bool:
    """Whether a compiled form of this bot exists, ready or not."""
    searching = _searching(bot)
    return searching is not None and _compiled(game, searching.search) is not None


def _compiled(game: AnyGame, search: Search[Any]) -> Search[Any] | None:
    """The search of one of the game's own bots with the compiled choice."""
    if not installed():
        return None
    compiled = searches_of_game(game.slug)
    forms = [
        compiled[bot.slug] for bot in game.bots if bot.search == search and bot.slug in compiled
    ]
    if not forms:
        return None
    return replace(search, choose=forms[0].choose, weigh=forms[0].weigh or search.weigh)


@cache
def searches_of_game(slug: str) -> "Mapping[str, CompiledSearch]":
    """The compiled searches of a game, by the slugs of its bots."""
    return getattr(_search_module(slug), "SEARCHES", {})


def _part_of_game(slug: str, part: str) -> "CompiledPart | None":
    """Another compiled part of a game, by its name; None if there is none."""
    return getattr(_search_module(slug), part, None) if installed() else None


def _search_module(slug: str) -> Any:
    package = _package(slug)
    there = package is not None and util.find_spec(f"{package}.search") is not None
    return import_module(f"{package}.search") if there else None


def _loaded(slug: str) -> bool:
    """Whether the searches of this game are compiled; then they are loaded now."""
    from cardroom.fast import kernel as warming

    return warming.load_searches(slug, searches_of_game(slug).values())


def searches(bot: Bot[Any]) -> bool:
    """Whether the bot makes moves by a search, so that it may have a compiled form."""
    return _searching(bot) is not None


def load_searches(slug: str) -> bool:
    """Loads the searches of a game if they are compiled; whether they are. It never compiles."""
    return not installed() or not searches_of_game(slug) or _loaded(slug)


def prepare() -> None:
    """Imports the kernels there are, so that no later call in this process does."""
    if installed():
        for slug in covered_games():
            searches_of_game(slug)


def is_warm(slug: str) -> bool:
    """Whether the kernel of this game is compiled already, here or on this machine's disk."""
    from cardroom.fast import kernel as warming

    return warming.is_warm(slug)


def warm(slug: str) -> None:
    """Compiles the kernel of this game, or loads it from the disk."""
    from cardroom.fast import kernel as warming

    kernel = kernel_of_game(slug)
    if kernel is not None:
        warming.warm(kernel)


def searches_are_warm(slug: str) -> bool:
    """Whether the searches of this game are compiled already."""
    from cardroom.fast import kernel as warming

    return warming.searches_are_warm(slug)


def warm_searches(slug: str) -> None:
    """Compiles the searches of this game's bots, or loads them; nothing where kernels are off."""
    from cardroom.fast import kernel as warming

    if installed():
        warming.warm_searches(slug, searches_of_game(slug).values())
