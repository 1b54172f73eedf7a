"""Chance: the same in every process, and fair to every card and place."""

import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from random import Random
from typing import Any, Final

import msgspec

from cardroom.contract.playing.luck import Luck
from cardroom.contract.playing.sitting import Sitting, setups
from cardroom.contract.playing.telling import account, texts_in
from cardroom.contract.reporting.check import Broken, check, require, same
from cardroom.rules.game import AnyGame, Game
from cardroom.rules.shuffles import seeded

MATCHES, PLIES = 3, 40  # that two processes compare
STARTS: Final = 240
UNLIKELY: Final = 8.0  # standard deviations
PATIENCE: Final = 120  # seconds for the other process


def lines_of(game: AnyGame) -> Iterator[str]:
    """What everybody is told in a few matches, in the order in which the game tells it."""
    for number, options in enumerate(_some_options(game)):
        sitting = Sitting.begun(game, options, number)
        steps = sitting.so_far_and(sitting.plies(Random(number), PLIES))
        for ply, (at, step) in enumerate(steps):
            for seat in (*range(len(at.setups)), None):
                facts = account(game, game.view(step.state, seat), seat, step.events)
                yield f"match {number}, ply {ply}, {seat}: {msgspec.json.encode(facts).decode()}"
            yield f"match {number}, ply {ply}: {msgspec.json.encode(step.state).decode()}"


def _some_options(game: AnyGame) -> list[Any]:
    chosen = [game.options(), *game.presets.values()]
    return (chosen * MATCHES)[:MATCHES]


@check("Two processes say the same: nothing hangs on the order of a set or on the clock.")
def two_processes_say_the_same(game: AnyGame, _luck: Luck) -> None:
    theirs = _in_another_process(reference_of(game)).splitlines()
    for mine, other in zip_longest(lines_of(game), theirs, fillvalue="nothing: null"):
        if mine != other:
            where, here = mine.split(": ", 1)
            there = other.split(": ", 1)[1]
            same(_decoded(there), _decoded(here), f"{where}, in another process")
            raise Broken(f"{where} has its fields in another order in another process")


def _decoded(line: str) -> Any:
    return msgspec.json.decode(line)


def reference_of(game: AnyGame) -> str:
    """``module:NAME`` of a game that some module holds."""
    for name, module in list(sys.modules.items()):
        for attribute, value in list(getattr(module, "__dict__", {}).items()):
            if value is game and isinstance(value, Game):
                return f"{name}:{attribute}"
    raise Broken("No module holds this game under a name, so no other process can import it.")


def _in_another_process(reference: str) -> str:
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    variables = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(
        [sys.executable, "-m", "cardroom.contract.behaviour.elsewhere", reference],
        env=variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if ran.returncode:
        raise Broken(f"In another process the game fails:\n{ran.stderr[-1500:]}")
    return ran.stdout


@check("Every card comes to every hidden place, and to every seat, as often as any other.")
def every_card_comes_everywhere(game: AnyGame, _luck: Luck) -> None:
    """Counts over many starts, without what everybody sees: the rules may choose that."""
    places: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    hands: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    shown: set[int] = set()
    options = game.options()
    for number in range(STARTS):
        state = game.start(options, setups(game, options), seeded(Random(number))).state
        views = [game.view(state, seat) for seat in (*range(game.seats(options)), None)]
        named = [set(texts_in(msgspec.to_builtins(view))) for view in views]
        cards = [game.card_text(card) for card in game.cards(state)]
        shown.update(at for at, card in enumerate(cards) if any(card in seen for seen in named))
        for at, card in enumerate(game.cards(state)):
            places[type(card).__name__, at][cards[at]] += 1
        for seat, seen in enumerate(named[:-1]):
            hands["seat", seat].update(seen.intersection(cards) - named[-1])
    hidden = {place: tally for place, tally in places.items() if place[1] not in shown}
    _are_alike(hidden, "place {1} of the state's cards")
    _are_alike(hands, "seat {1}")


def _are_alike(counts: Mapping[tuple[str, int], Counter[str]], name: str) -> None:
    """No place is far from what all places of its kind have together."""
    for kind in {kind for kind, _ in counts}:
        alike = {place: tally for place, tally in counts.items() if place[0] == kind}
        together = sum(alike.values(), Counter[str]())
        for place, tally in alike.items():
            far = _deviations(tally, together)
            most, times = tally.most_common(1)[0] if tally else ("", 0)
            require(
                far < UNLIKELY,
                f"{name.format(*place)}: {most} came {times} times of {tally.total()}, "
                f"{far:.0f} standard deviations from what chance gives",
            )


def _deviations(tally: Counter[str], together: Counter[str]) -> float:
    """How far a chi-square of this place is above its mean, in standard deviations."""
    share = tally.total() / together.total() if together else 0.0
    kinds = len(together) - 1
    if not share or kinds < 1:
        return 0.0
    terms: Iterable[float] = (
        (tally[card] - share * n) ** 2 / (share * n) for card, n in together.items()
    )
    return float((sum(terms) - kinds) / (2 * kinds) ** 0.5)
