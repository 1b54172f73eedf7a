"""Finished matches as records, and the ways to falsify them."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from cardroom.rules import catalog, record
from cardroom.rules.game import AnyGame
from cardroom.rules.record import Fault
from cardroom.rules.shuffles import commitment
from tests.rules.playing import Sitting, seed_of

PISTI, PAZAAK, SHITHEAD = map(catalog.find, ("pisti", "pazaak", "shithead"))


def finished(game: AnyGame, number: int = 1, **options: Any) -> Sitting:
    sitting = Sitting.begun(game, game.choose_options(options), number)
    return sitting.play_on(Random(number))


def plain(sitting: Sitting | record.Record) -> dict[str, Any]:
    """A record as decoded JSON, ready to be falsified."""
    found = sitting.record() if isinstance(sitting, Sitting) else sitting
    return msgspec.json.decode(record.write(found))


def place(told: Any) -> tuple[int | None, int | None]:
    """Where a record is refused; fails when it is accepted."""
    fault = record.verify(told)
    assert isinstance(fault, Fault), "the record was accepted"
    assert fault.fault.endswith((".", ".)"))
    return fault.round, fault.move


def seals(told: dict[str, Any], number: int) -> None:
    told |= {"seed": seed_of(number).hex(), "commitment": commitment(seed_of(number))}


def with_secret_seeds(found: record.Record, secret: Sequence[bool]) -> record.Record:
    """The record as it reads while these ancestors, the parent first, still run."""

    def hide(loaded: record.LoadedFrom | None, secret: Sequence[bool]) -> record.LoadedFrom | None:
        if loaded is None or not secret:
            return loaded
        seed, parent = None if secret[0] else loaded.seed, hide(loaded.loaded_from, secret[1:])
        return msgspec.structs.replace(loaded, seed=seed, loaded_from=parent)

    return msgspec.structs.replace(found, loaded_from=hide(found.loaded_from, secret))


def falsified(told: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    copy = msgspec.json.decode(msgspec.json.encode(told))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value(inner[path[-1]]) if callable(value) else value
    return copy


def swapped(one: int, other: int) -> Any:
    def swap(deck: str) -> str:
        cards = deck.split(" ")
        cards[one], cards[other] = cards[other], cards[one]
        return " ".join(cards)

    return swap


def parent_of(told: dict[str, Any], **changes: Any) -> dict[str, Any]:
    parent = {"match": "p", "version": 0, "cards": "same", "shuffles": 0, "seed": told["seed"]}
    return parent | {"commitment": told["commitment"]} | changes
