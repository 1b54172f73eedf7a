"""The rules and a kernel side by side: the same streams, every state before every ply.

What a kernel says must be what the rules say; the first match in which they part is named with
the ply and both states.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cardroom.arena import compiled_code, engine
from cardroom.arena.errors import BadRequest
from cardroom.arena.playouts import MatchInPlay
from cardroom.arena.request import Part, SimulationRequest, series
from cardroom.arena.series import Series, generator
from cardroom.rules.shuffles import seeded

if TYPE_CHECKING:
    from cardroom.fast.kernel import Kernel

AT_ONCE: Final = 16  # matches that a kernel traces by one call


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


@dataclass(frozen=True)
class Checked:
    """How many states of a part were compared, and the first difference found if there is one."""

    states: int
    difference: Difference | None = None


def check(request: SimulationRequest, part: Part) -> Checked:
    """Plays the matches of a part by both engines, up to the first in which they part."""
    matches = series(request)
    kernel = compiled_code.kernel_of_game(request.game)
    if kernel is None:
        raise BadRequest(f"{matches.game.name} has no kernel.")
    if why := engine.uncovered(matches, kernel):
        raise BadRequest(f"The kernel cannot play this: {why}.")
    states, end = 0, part.first + part.games
    for first in range(part.first, end, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, end))
        traced = _traced(matches, kernel, numbers)
        for number in numbers:
            expected, plies = _played(matches, kernel, number)
            states += plies + 1
            if expected != traced[number]:
                return Checked(states, _difference(matches, number, expected, traced[number]))
    return Checked(states)


def _traced(matches: Series, kernel: "Kernel", numbers: range) -> Mapping[int, list[int]]:
    """The states of these matches by the kernel, as ``Kernel.traces`` has them."""
    from cardroom.fast.kernel import seeds_of

    traced: dict[int, list[int]] = {}
    rotations = len(matches.seatings)
    for rotation, seating in enumerate(matches.seatings):
        chosen = [number for number in numbers if number % rotations == rotation]
        if chosen:
            seeds = seeds_of(matches.seed, [number // rotations for number in chosen], chosen)
            policies = [kernel.policies[entrant.bot.slug] for entrant in seating]
            setups = matches.setups[rotation]
            traces = kernel.traces(seeds, matches.options, setups, policies)
            traced.update(zip(chosen, traces, strict=True))
    return traced


def _played(matches: Series, kernel: "Kernel", number: int) -> tuple[list[int], int]:
    """The states of a match by the rules, as ``Kernel.traces`` has them, and its plies."""
    deal, rotation = divmod(number, len(matches.seatings))
    bots = tuple(entrant.bot for entrant in matches.seatings[rotation])
    chance = seeded(generator(matches.seed, "decks", deal))
    match = MatchInPlay(matches.game, bots, chance, generator(matches.seed, "bots", number))
    states: list[int] = []
    row_of, plies = kernel.row, -1

    def note() -> bool:
        nonlocal plies
        row = row_of(match.state)
        states.append(len(row))
        states.extend(row)
        plies += 1
        return False

    match.begin(matches.options, matches.setups[rotation])
    note()
    match.play(note)
    return states, plies


def _difference(
    matches: Series, number: int, expected: Sequence[int], actual: Sequence[int]
) -> Difference:
    rules, kernel = _states(expected), _states(actual)
    ply = next(
        ply
        for ply in range(max(len(rules), len(kernel)))
        if rules[ply : ply + 1] != kernel[ply : ply + 1]
    )
    either = [states[ply] if ply < len(states) else [] for states in (rules, kernel)]
    return Difference(matches.game.slug, number, ply, *either)


def _states(numbers: Sequence[int]) -> list[list[int]]:
    """The states one by one, without the lengths that lead them."""
    states, at = [], 0
    while at < len(numbers):
        end = at + 1 + numbers[at]
        states.append(list(numbers[at + 1 : end]))
        at = end
    return states
