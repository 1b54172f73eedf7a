"""The rules and a kernel side by side: the same streams, every state before every ply, figures.

What a kernel says must be what the rules say; the first match in which they part is named with
the ply and both states.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.arena import engine
from games.arena.errors import BadRequest
from games.arena.playouts import MatchInPlay
from games.arena.request import SimulationRequest, series
from games.arena.series import Series, generator
from games.fast.kernel import seeds_of
from games.rules.shuffles import seeded


@dataclass(frozen=True)
class Difference:
    """Where a kernel and the rules part for the first time."""

    game: str
    number: int
    ply: int
    rules: list[int]
    kernel: list[int]

    def __str__(self) -> str:
        return (
            f"{self.game}: the kernel differs from the rules in match {self.number} before ply "
            f"{self.ply + 1}: the rules have {self.rules}, the kernel {self.kernel}."
        )


def differences(request: SimulationRequest, first: int, count: int) -> Iterator[Difference | None]:
    """For each match None, or where the two engines part in its course."""
    matches = series(request)
    kernel = engine.kernel_of_game(request.game)
    if kernel is None:
        raise BadRequest(f"{matches.game.name} has no kernel.")
    if why := engine.uncovered(matches, kernel):
        raise BadRequest(f"The kernel cannot play this: {why}.")
    for number in range(first, first + count):
        yield _difference(matches, kernel, number)


def _difference(matches: Series, kernel: Any, number: int) -> Difference | None:
    traced = _traced(matches, kernel, number)
    for ply, expected in enumerate(_states(matches, kernel, number)):
        found = traced[ply] if ply < len(traced) else []
        if expected != found:
            return Difference(matches.game.slug, number, ply, expected, found)
    return None


def _traced(matches: Series, kernel: Any, number: int) -> list[list[int]]:
    deal, rotation = divmod(number, len(matches.seatings))
    policies = [kernel.policies[entrant.bot.slug] for entrant in matches.seatings[rotation]]
    seed = seeds_of(matches.seed, [deal], [number])
    setups = matches.setups[rotation]
    return kernel.trace(seed, matches.options, setups, policies)  # type: ignore[no-any-return]


def _states(matches: Series, kernel: Any, number: int) -> list[list[int]]:
    """The states of a match played by the rules, before every ply and at the end."""
    deal, rotation = divmod(number, len(matches.seatings))
    bots = tuple(entrant.bot for entrant in matches.seatings[rotation])
    chance = seeded(generator(matches.seed, "decks", deal))
    match = MatchInPlay(matches.game, bots, chance, generator(matches.seed, "bots", number))
    match.begin(matches.options, matches.setups[rotation])
    rows = [kernel.row(match.state)]

    def note() -> bool:
        rows.append(kernel.row(match.state))
        return False

    match.play(note)
    return rows
