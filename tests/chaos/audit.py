"""Afterwards: what was promised against what the log holds."""

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import psycopg

from tests.chaos.load import Acknowledged, Book

GAPS = """
SELECT count(*) FROM games_match m JOIN (
    SELECT match_id, count(*) AS plies, min(version) AS first, max(version) AS last
    FROM games_ply GROUP BY match_id
) p ON p.match_id = m.id
WHERE p.first <> 0 OR p.plies <> p.last + 1 OR p.last <> m.version
"""


class Service(Protocol):
    def database(self) -> "psycopg.Connection[Any]": ...
    def run(self, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]": ...


@dataclass(frozen=True)
class Findings:
    lost: int
    doubled: int
    refused_but_applied: int
    unheard: int
    gaps: int
    matches: int
    faulty: int


def audit(service: Service, book: Book) -> Findings:
    with service.database() as connection:
        logged = _versions_by_key(connection)
        gaps = connection.execute(GAPS).fetchone()
        lost, _ = broken(connection, book.acknowledged)
    promised = {(one.match, one.key) for one in book.acknowledged}
    matches, faulty = verified(service)
    return Findings(
        lost=lost,
        doubled=sum(len(versions) > 1 for versions in logged.values()),
        refused_but_applied=sum(move in logged for move in book.refused),
        unheard=len(logged.keys() - promised),
        gaps=gaps[0] if gaps else 0,
        matches=matches,
        faulty=faulty,
    )


def broken(
    connection: "psycopg.Connection[Any]", acknowledged: Iterable[Acknowledged]
) -> tuple[int, int]:
    """How many of these moves are not in the log as it was answered, and how many are twice."""
    logged, promised = _versions_by_key(connection), defaultdict(set)
    for one in acknowledged:
        promised[one.match, one.key].add(one.version)
    lost = sum(not versions <= logged.get(move, set()) for move, versions in promised.items())
    return lost, sum(len(logged.get(move, ())) > 1 for move in promised)


def _versions_by_key(connection: "psycopg.Connection[Any]") -> dict[tuple[str, str], set[int]]:
    logged = defaultdict(set)
    rows = connection.execute("SELECT match_id, key, version FROM games_ply WHERE key IS NOT NULL")
    for match, key, version in rows:
        logged[str(match), key].add(version)
    return logged


def verified(service: Service, **environment: str) -> tuple[int, int]:
    """`manage.py verify_matches`: how many matches it played again, and how many had faults."""
    done = service.run("manage.py", "verify_matches", **environment)
    counts = re.search(r"(\d+) matches checked, (\d+) with faults", done.stdout)
    if counts is None:
        raise RuntimeError(f"verify_matches failed:\n{done.stderr[-2000:]}")
    return int(counts[1]), int(counts[2])
