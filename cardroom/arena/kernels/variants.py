"""Named variants over which kernels are checked against the rules: every option is in one of them.

Each game's kernel lists its own (``VARIANTS``): a name and options with bots, ``players`` included.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cardroom.arena import compiled_code
from cardroom.arena.errors import BadRequest
from cardroom.arena.request import SimulationRequest, describe


@dataclass(frozen=True)
class Variant:
    game: str
    name: str
    bots: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)

    def request(self, *, games: int, seed: int) -> SimulationRequest:
        return describe(self.game, values=self.values, bots=self.bots, games=games, seed=seed)


def variants() -> Iterator[Variant]:
    for slug, kernel in compiled_code.covered_games().items():
        for name, (bots, values) in kernel.variants.items():
            yield Variant(slug, f"{slug}/{name}", bots, values)


def chosen(game: str | None, name: str | None) -> list[Variant]:
    """The variants of a game or of a name; ``BadRequest`` if there is none."""
    matching = [
        each for each in variants() if game in (None, each.game) and name in (None, each.name)
    ]
    if not matching:
        known = ", ".join(each.name for each in variants())
        raise BadRequest(f"There is no such variant; there are: {known}.")
    return matching
