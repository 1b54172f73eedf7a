"""Where the golden playthroughs of a game lie, and which it needs."""

from collections.abc import Iterator
from pathlib import Path

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame

HOUSE = Path(catalog.__file__).parents[2] / "tests" / "rules" / "golden"


def folder_of(game: AnyGame) -> Path:
    """A game from outside keeps them in its package, those of this tree lie with the tests."""
    own = catalog.installed(game.slug)
    return own.folder / "golden" if own else HOUSE


def path(name: str) -> Path:
    return folder_of(game_of(name)) / f"{name}.jsonl"


def of(game: AnyGame) -> list[Path]:
    return sorted(folder_of(game).glob(f"{game.slug}-*.jsonl"))


def all_of_them() -> list[Path]:
    return [path for game in catalog.GAMES for path in of(game)]


def needed(*games: AnyGame) -> Iterator[tuple[str, AnyGame, str | None]]:
    """One file for every preset, and one for the defaults where no preset has them."""
    for game in games or catalog.GAMES:
        for preset in game.presets:
            yield f"{game.slug}-{preset}", game, preset
        if game.options() not in game.presets.values():
            yield f"{game.slug}-default", game, None


def game_of(name: str) -> AnyGame:
    """The game whose slug a file's name begins with, or is; ``LookupError`` if there is none."""
    named = [g for g in catalog.GAMES if name == g.slug or name.startswith(f"{g.slug}-")]
    if not named:
        known = ", ".join(catalog.slugs())
        raise LookupError(f"{name!r} begins with no game's slug; there are: {known}.")
    return max(named, key=lambda game: len(game.slug))


def preset_of(name: str) -> str | None:
    """The preset that the name says, if there is one of that name."""
    game = game_of(name)
    preset = name.removeprefix(f"{game.slug}-")
    return preset if preset in game.presets else None
