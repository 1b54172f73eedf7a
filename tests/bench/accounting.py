"""Costs of work: processor time of process trees from /proc, log bytes and commits from Postgres.

A tree counts its living processes and, through their parents, those that ended: a backend that
Postgres closed is still counted.
"""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Process:
    pid: int
    parent: int
    ticks: int  # its own and those of its children that ended


def processor_seconds(root: int) -> float:
    """User and system time of a process and all that descend from it, ended ones included."""
    return sum(process.ticks for process in tree(root)) / TICKS


def children(root: int, mark: str) -> list[int]:
    """The processes that ``root`` has started with this on their command line."""
    return [p.pid for p in _processes() if p.parent == root and mark in _command(p.pid)]


def tree(root: int) -> Iterator[Process]:
    by_parent: dict[int, list[Process]] = defaultdict(list)
    waiting: list[Process] = []
    for process in _processes():
        by_parent[process.parent].append(process)
        if process.pid == root:
            waiting.append(process)
    while waiting:
        process = waiting.pop()
        waiting += by_parent[process.pid]
        yield process


def _processes() -> Iterator[Process]:
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (place / "stat").read_text().rpartition(")")[2].split()
            yield Process(int(place.name), int(fields[1]), sum(map(int, fields[11:15])))


def _command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""


@dataclass(frozen=True)
class Bill:
    """The difference of two readings."""

    seconds: Mapping[str, float]
    wal_bytes: int
    commits: int  # of all databases; a statement of the move path is one

    def of(self, *names: str) -> float:
        return sum(self.seconds[name] for name in names)


class Meter:
    """Reads the roots' processor time and the database's write-ahead log, before and after."""

    def __init__(self, roots: Mapping[str, int], database: "psycopg.Connection[Any]") -> None:
        self._roots, self._database = roots, database
        self._before = self._read()

    def bill(self) -> Bill:
        seconds, wal, commits = self._read()
        before, wal_before, commits_before = self._before
        spent = {name: seconds[name] - before[name] for name in seconds}
        return Bill(spent, wal - wal_before, commits - commits_before)

    def _read(self) -> tuple[dict[str, float], int, int]:
        row = self._database.execute(
            "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint,"
            " (SELECT sum(xact_commit)::bigint FROM pg_stat_database)"
        ).fetchone()
        seconds = {name: processor_seconds(pid) for name, pid in self._roots.items()}
        return seconds, row[0], row[1]  # type: ignore[index]
