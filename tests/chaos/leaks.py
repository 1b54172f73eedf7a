"""Afterwards: what the logs of a service hold that nobody may read there."""

import base64
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import psycopg

CARDS: Final = re.compile(r"(?<![\w-])(?:(?:[2-9TJQKA][CDHS]|10[CDHS]|X[12])[ ,'\"]+){3}")
FIELDS: Final = ("legal_moves", '"hand', '"stock')
LISTS: Final = re.compile(rb"\[[^\[\]]{15,}\]")  # of cards, in a state


def leaks(
    logs: Iterable[Path], connection: "psycopg.Connection[Any]", secrets: Iterable[str]
) -> list[str]:
    """Secrets in logs, by log: keys, seeds, parts of states, rows of cards."""
    wanted = {*secrets, *_seeds(connection), *_digests(connection), *_dealt(connection), *FIELDS}
    return [
        f"{log.name}: {found}"
        for log in logs
        for text in [log.read_text(errors="replace")]
        for found in _in(text, wanted)
    ]


def _in(text: str, wanted: set[str]) -> Iterator[str]:
    yield from (word for word in wanted if word in text)
    yield from (found.group() for found in CARDS.finditer(text))


def _seeds(connection: "psycopg.Connection[Any]") -> Iterator[str]:
    """As they may be written: by Python, by Postgres, in JSON."""
    for (seed,) in connection.execute("SELECT seed FROM games_match"):
        yield from (seed.hex(), base64.b64encode(seed).decode(), repr(seed)[2:-1])


def _digests(connection: "psycopg.Connection[Any]") -> Iterator[str]:
    yield from (digest for (digest,) in connection.execute("SELECT digest FROM accounts_key"))


def _dealt(connection: "psycopg.Connection[Any]") -> Iterator[str]:
    """Stocks and hands as states have them, and as Python would print them."""
    for (state,) in connection.execute("SELECT opening_state FROM games_round"):
        for cards in map(bytes.decode, LISTS.findall(state)):
            yield from (cards, cards.replace(",", ", "))
