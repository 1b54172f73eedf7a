"""``python -m cardroom.contract my_game:GAME``: a line for each check, then what is broken."""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final

from cardroom.contract import CHECKS
from cardroom.contract.playing import Dice
from cardroom.contract.reporting import Broken, Check, find
from cardroom.rules.game import AnyGame

TIMES: Final = 25  # rare faults of a new game show in about 250 matches
FAR: Final = 3  # longer matches than the suite plays


def luck_of(game: AnyGame, check: Check, times: float = 1, seed: object = "") -> Iterator[Dice]:
    """The luck of every example: the same for the same game, check and seed."""
    reach = 1 if times <= 1 else FAR
    for number in range(ceil(check.examples * times) if check.examples > 1 else 1):
        yield Dice(f"{game.slug} {check.name} {number} {seed}", reach)


def fault_of(game: AnyGame, check: Check, times: int = 1) -> str | None:
    """The message of a check that a game fails; ``None`` if it passes every example."""
    try:
        for luck in luck_of(game, check, times):
            check(game, luck)
    except Broken as broken:
        return str(broken)
    return None


def faults_of(
    game: AnyGame, times: int = 1, only: Sequence[str] = ()
) -> Iterator[tuple[Check, str | None]]:
    """Each check that applies, with what is broken."""
    for check in CHECKS:
        if check.applies(game) and (not only or check.name in only):
            yield check, fault_of(game, check, times)


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(argv)
    try:
        game = find(arguments.game)
    except LookupError as unknown:
        _write(str(unknown.args[0]))
        return 2
    broken: list[str] = []
    began = time.monotonic()
    for check, fault in faults_of(game, arguments.times, arguments.only):
        now = time.monotonic()
        _write(f"{'ok    ' if fault is None else 'BROKEN'} {now - began:6.1f} s  {check.rule}")
        broken += [] if fault is None else [fault]
        began = now
    for text in broken:
        _write(f"\n{text}")
    return int(bool(broken))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cardroom.contract", description=__doc__)
    parser.add_argument("game", help="module:GAME")
    parser.add_argument(
        "--times", type=int, default=TIMES, help="as many times the examples of a known game"
    )
    parser.add_argument("--only", action="append", default=[], help="the name of a check")
    return parser


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
