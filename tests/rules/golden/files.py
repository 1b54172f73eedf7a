"""Where the golden playthroughs lie, and which the catalogue needs."""

from collections.abc import Iterator
from pathlib import Path

from games.rules import catalog
from games.rules.game import AnyGame

FOLDER = Path(__file__).parent


def path(name: str) -> Path:
    return FOLDER / f"{name}.jsonl"


def all_of_them() -> list[Path]:
    return sorted(FOLDER.glob("*.jsonl"))


def needed() -> Iterator[tuple[str, AnyGame, str | None]]:
    """One file for every preset, and one for the defaults where no preset has them."""
    for game in catalog.GAMES:
        for preset in game.presets:
            yield f"{game.slug}-{preset}", game, preset
        if game.options() not in game.presets.values():
            yield f"{game.slug}-default", game, None


def game_of(name: str) -> AnyGame:
    """The game whose slug a file's name begins with; ``StopIteration`` if there is none."""
    return next(game for game in catalog.GAMES if name.startswith(f"{game.slug}-"))


def preset_of(name: str) -> str | None:
    """The preset that the name says, if there is one of that name."""
    game = game_of(name)
    preset = name.removeprefix(f"{game.slug}-")
    return preset if preset in game.presets else None
