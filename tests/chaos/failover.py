"""`make failover`: a service on three Postgres under Patroni and two Valkeys, whose primaries go.

Players with keys play on, and listen, whatever happens. After each round it prints how many moves
were acknowledged, of them lost or doubled, how long the engine took no write, and for how much
longer than that nobody's move was answered, no computer moved and no stream told anything, the
longest answer, the answers by status and what they said of `Retry-After`. Targets: nothing lost or
doubled, two seconds beyond the engine, no answer later than five. With asynchronous standbys that
are a second behind, moves are lost: every match of which a player saw that must be named in the
log (``version_went_back``).

Needs `etcd` (Debian: etcd-server) and takes Patroni from PyPI; `haproxy` and `pgbouncer`, 1.21 or
newer, for the rounds through them. The network is cut where root may make namespaces.
``FAILOVER="--only killed Valkey --tables 4"`` chooses. The exit status is 1 where a target is
missed.
"""

import argparse
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import psycopg

from tests.bench.scaling import PROTOCOL_LEVEL, version_of
from tests.chaos.audit import audit, broken
from tests.chaos.listeners import SECONDS_TO_BEGIN, Listener, Notes, compared
from tests.chaos.load import Book, Match, Table, tables
from tests.config.several import HERE, Node, Patronis, Servers, Valkeys
from tests.patience import wait_until
from tests.served import Answer, Caller, Served, free_port, say

SECONDS_BEFORE: Final = 3.0
SECONDS_AFTER: Final = 5.0
SECONDS_APART: Final = 3.0  # of a server that is away, after another one has taken its place
SECONDS_BEHIND: Final = 1.0  # of the standbys, where they are asynchronous
HAPROXY: Final = Path("/usr/sbin/haproxy")
KINDS: Final = (
    "primary killed", "primary frozen", "network to it cut", "switch-over",
    "Valkey's primary killed", "Valkey emptied", "both primaries killed",
)  # fmt: skip
POOLED: Final = ("PgBouncer restarted", "primary killed", "switch-over")
ASYNCHRONOUS: Final = ("primary killed", "both primaries killed")
TITLE: Final = (
    f"{'round':24} {'moves':>6} {'lost':>4} {'2nd':>4} {'engine':>7} {'people':>7} {'bots':>7} "
    f"{'streams':>7} {'longest':>7}  answers"
)
MOST_BEYOND: Final = 2.0
LONGEST_ANSWER: Final = 5.0
WENT_BACK: Final = re.compile(r"version_went_back.*?match\W+([0-9a-f-]{36})")
SESSION: Final = {
    "jit": "off", "statement_timeout": "30s", "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "60s",
}  # fmt: skip
BALANCING: Final = """
global
  maxconn 1000
defaults
  mode tcp
  retries 0
  timeout connect 2s
  timeout client 30m
  timeout server 30m
listen primary
  bind {here}:{port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fastinter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
"""
POOLING: Final = """
[databases]
cards = host={here} port={primary} dbname=cards
[pgbouncer]
listen_addr = {here}
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {users}
pool_mode = transaction
max_prepared_statements = 200
default_pool_size = 20
query_wait_timeout = 3
server_connect_timeout = 2
server_login_retry = 0.5
tcp_user_timeout = 5000
"""


class Gone(Exception):
    """A match that was opened just before, and is lost."""


class Watchful(Table):
    """Notes when computers moved, and that a match has fewer moves than were seen of it."""

    def __init__(self, *of_a_table: Any) -> None:
        super().__init__(*of_a_table)
        self.seen: dict[str, int] = {}
        self.moved: list[float] = []
        self.went_back: set[str] = set()
        self.retry_after: Counter[str] = Counter()

    def _play_a_match(self) -> None:
        with suppress(Gone):
            super()._play_a_match()

    def _look(self, person: Caller) -> Match:
        match, before = super()._look(person), self.seen.get(self.match["id"], -1)
        if match["version"] < before:
            self.went_back.add(match["id"])
        elif match["version"] > before and self.bots:
            self.moved.append(time.monotonic())
        self.seen[match["id"]] = match["version"]
        return match

    def _ask(self, person: Caller, path: str, body: Any, **headers: str) -> Answer | None:
        answer = super()._ask(person, path, body, **headers)
        if answer is not None and answer.status == 503:
            self.retry_after[answer.headers.get("Retry-After", "none")] += 1
        if answer is not None and answer.status == 404:
            raise Gone
        return answer


class Heard(Notes):
    """Notes when, too."""

    at: list[float]

    def note(self, kind: str, *told: Any) -> None:
        super().note(kind, *told)
        if kind in ("version", "news"):
            self.at.append(time.monotonic())


class Probe(threading.Thread):
    """Writes a row twenty times a second at one node, as nobody's service: when it took one."""

    def __init__(self, node: Node, user: str) -> None:
        super().__init__(daemon=True)
        self._at = {"host": node.host, "port": node.port, "user": user, "dbname": "postgres"}
        self.taken: list[float] = []
        self.is_done = False

    def run(self) -> None:
        connection: Any = None
        while not self.is_done:
            with suppress(psycopg.Error):
                if connection is None or connection.closed:
                    patience: Any = {"connect_timeout": 2, "tcp_user_timeout": 2000}
                    connection = psycopg.connect(**self._at, **patience, autocommit=True)
                    connection.execute("CREATE TABLE IF NOT EXISTS probe (at timestamptz)")
                connection.execute("INSERT INTO probe VALUES (now())")
                self.taken.append(time.monotonic())
            time.sleep(0.05)


class Poolers(Servers):
    """PgBouncer, before HAProxy, before whichever of the nodes is the primary."""

    def __init__(self, postgres: Patronis, pgbouncer: str) -> None:
        super().__init__()
        self._program = pgbouncer
        self.primary, self.pooler = free_port(), free_port()
        balancing = BALANCING.format(here=HERE, port=self.primary)
        for node in postgres.nodes:
            balancing += f"  server {node.name} {node.host}:{node.port} check port {node.api}\n"
        users = self._file("users", f'"{postgres.user}" ""\n')
        pooling = POOLING.format(here=HERE, primary=self.primary, port=self.pooler, users=users)
        self._pooling = self._file("pgbouncer.ini", pooling)
        self.start(self.primary, HAPROXY, "-db", "-f", self._file("haproxy.cfg", balancing))
        self.begin()
        self.url = f"postgres://{postgres.user}@{HERE}:{self.pooler}/{postgres.database}"

    def _file(self, name: str, text: str) -> Path:
        file = Path(self.folder) / name
        file.write_text(text)
        return file

    def begin(self) -> None:
        self.start(self.pooler, self._program, "-q", self._pooling)

    def restart(self) -> None:
        self.kill(self.pooler)
        time.sleep(0.5)
        self.begin()


class Elsewhere(Served):
    """The service with servers that are not its own."""

    cluster: Patronis

    def database(self) -> "psycopg.Connection[Any]":
        return self.cluster.connect()


class Trial:
    """One service under load, and what is done to its servers."""

    def __init__(
        self, service: Elsewhere, valkeys: Valkeys, number: int, poolers: Poolers | None = None
    ) -> None:
        self.postgres, self.valkeys, self.service = service.cluster, valkeys, service
        self.book, self.missed = Book(), 0
        self.players = tables(service.port, self.book, number, 0.02, Watchful)
        self.listening = [Listener(one.people[0]) for one in self.players[:4]]
        for listener in self.listening:
            listener.notes = Heard(listener.notes.name)
            listener.notes.at = []
            listener.start()
        for listener in self.listening:  # what begins before it listens is no news
            listener.notes.begun.wait(SECONDS_TO_BEGIN)
        both = [self._killed, self._valkey]
        self.kinds: dict[str, Callable[[], object]] = {
            "primary killed": self._killed,
            "primary frozen": self._frozen,
            "switch-over": self.postgres.switch_over,
            "Valkey's primary killed": self._valkey,
            "Valkey emptied": lambda: valkeys.server(valkeys.primary()).flushall(),
            "both primaries killed": lambda: [strike() for strike in both],
        }
        if self.postgres.has_cables:
            self.kinds["network to it cut"] = self._cut
        if poolers:
            self.kinds["PgBouncer restarted"] = poolers.restart
        for player in self.players:
            player.start()

    def round(self, name: str) -> None:
        self.postgres.wait_until_whole()
        time.sleep(SECONDS_BEFORE)
        probes = [Probe(node, self.postgres.user) for node in self.postgres.nodes]
        for probe in probes:
            probe.start()
        time.sleep(1)
        begun, before = time.monotonic(), self._state()
        self.kinds[name]()
        self.postgres.wait_until_whole()
        time.sleep(SECONDS_AFTER)
        for probe in probes:
            probe.is_done = True
        self._tell(name, begun, before, probes)

    def _killed(self) -> None:
        node = self.postgres.primary()
        if not self.postgres.is_synchronous:
            self.postgres.hold_back(node)
            time.sleep(SECONDS_BEHIND)
        self.postgres.kill(node.name)
        self.postgres.primary(other_than=node)
        self.postgres.again(node)

    def _frozen(self) -> None:
        node = self.postgres.primary()
        self.postgres.kill(node.name, signal.SIGSTOP)
        self.postgres.primary(other_than=node)
        time.sleep(SECONDS_APART)
        self.postgres.kill(node.name, signal.SIGCONT)

    def _cut(self) -> None:
        node = self.postgres.primary()
        self.postgres.cut(node)
        self.postgres.primary(other_than=node)
        time.sleep(SECONDS_APART)
        self.postgres.mend(node)

    def _valkey(self) -> None:
        before = self.valkeys.primary()
        self.valkeys.kill(before)
        wait_until(lambda: self.valkeys.primary() not in (None, before), 60)
        self.valkeys.again(before)

    def _state(self) -> tuple[int, int, Counter[str]]:
        said = sum((player.retry_after for player in self.players), Counter[str]())
        return len(self.book.acknowledged), len(self.book.requests), said

    def _tell(
        self, name: str, begun: float, before: tuple[int, int, Counter[str]], probes: list[Probe]
    ) -> None:
        acknowledged, requests, said = self._state()
        asked = self.book.requests[before[1] : requests]
        with self.service.database() as connection:
            lost, doubled = broken(connection, self.book.acknowledged[before[0] : acknowledged])
        players = self.players
        engine = pause(begun, (probe.taken for probe in probes))
        beyond = [
            pause(begun, moments) - engine
            for moments in (
                (one.answers for one in players),
                (one.moved for one in players),
                (one.notes.at for one in self.listening),
            )
        ]
        longest = max(one.seconds for one in asked)
        answers = Counter(one.status for one in asked)
        told = ", ".join(f"{number} x {status or 'none'}" for status, number in answers.items())
        waits = ", ".join(f"{number} x {wait}" for wait, number in (said - before[2]).items())
        is_missed = beyond[0] > MOST_BEYOND or longest > LONGEST_ANSWER or doubled
        is_missed = is_missed or (lost and self.postgres.is_synchronous)
        self.missed += bool(is_missed)
        figures = " ".join(f"{seconds:+7.1f}" for seconds in beyond)
        say(
            f"{name:24} {acknowledged - before[0]:6} {lost:4} {doubled:4} {engine:7.1f} {figures} "
            f"{longest:7.1f}  {told}; Retry-After: {waits or '-'}{'  MISSED' if is_missed else ''}"
        )

    def verdict(self) -> int:
        """Print what the log, the streams and the service's own log show; return the exit code."""
        for player in self.players:
            player.stop()
        for player in self.players:
            player.join(90)
        found, heard = audit(self.service, self.book), compared(self.service, self.listening)
        back = set[str]().union(*(player.went_back for player in self.players))
        text = "".join(log.read_text(errors="replace") for log in self.service.logs())
        unnoticed = back - set(WENT_BACK.findall(text))
        say(
            f"{len(self.book.acknowledged)} moves acknowledged in {found.matches} matches, "
            f"{found.lost} lost, {found.doubled} doubled; {found.gaps} gaps, {found.faulty} that "
            f"do not verify; streams told {heard.messages}, lost {heard.lost}, told "
            f"{heard.doubled} twice; {len(back)} matches went back, of which the service did not "
            f"notice {len(unnoticed)}",
            *(f"  !  {fault}" for fault in [*self.book.faults, *heard.missing][:10]),
        )
        bad = found.doubled + found.gaps + found.faulty + len(unnoticed) + len(self.book.faults)
        if self.postgres.is_synchronous:
            bad += found.lost + heard.lost + heard.doubled
        return bad + self.missed


def pause(begun: float, moments: Iterable[Iterable[float]]) -> float:
    """The longest time from then on in which none of these lies."""
    after = sorted(at for some in moments for at in some if at > begun - 1)
    return max((later - one for one, later in pairwise(after)), default=0.0)


def main() -> int:
    options = _options()
    if shutil.which("etcd") is None:
        say("etcd is not on this machine (Debian: etcd-server): nothing was tried.")
        return 0
    with ExitStack() as stack:
        begun = time.monotonic()
        valkeys, postgres = Valkeys(), None
        stack.callback(valkeys.end)
        postgres = Patronis()
        stack.callback(postgres.end)
        say(f"Three Postgres and two Valkeys stand after {time.monotonic() - begun:.0f} s")
        if not postgres.has_cables:
            say("No network is cut: only root may make namespaces.")
        bad = 0
        for how, trial in TRIALS.items():
            if how in options.trials:
                bad += trial(postgres, valkeys, options)
        say(f"{time.monotonic() - begun:.0f} s")
    return int(bad > 0)


def _synchronous(postgres: Patronis, valkeys: Valkeys, options: Any) -> int:
    return _tried(postgres, valkeys, options, postgres.url(), KINDS)


def _pooled(postgres: Patronis, valkeys: Valkeys, options: Any) -> int:
    """Settings of a session are the role's, as docker/SCALING.md says."""
    pgbouncer = shutil.which("pgbouncer")
    if pgbouncer is None or not HAPROXY.exists() or version_of(pgbouncer) < PROTOCOL_LEVEL:
        say("Not tried through them: haproxy and pgbouncer 1.21 or newer are not on this machine.")
        return 0
    with postgres.connect() as connection:
        for name, value in SESSION.items():
            connection.execute(f"ALTER ROLE {postgres.user} SET {name} = '{value}'")
    poolers = Poolers(postgres, pgbouncer)
    try:
        return _tried(postgres, valkeys, options, poolers.url, POOLED, poolers)
    finally:
        poolers.end()


def _asynchronous(postgres: Patronis, valkeys: Valkeys, options: Any) -> int:
    postgres.set_synchronous(synchronous=False)
    return _tried(postgres, valkeys, options, postgres.url(), ASYNCHRONOUS)


TRIALS: Final = {
    "synchronous": _synchronous, "pooled": _pooled, "asynchronous": _asynchronous,
}  # fmt: skip


def _tried(
    postgres: Patronis,
    valkeys: Valkeys,
    options: Any,
    address: str,
    kinds: Sequence[str],
    poolers: Poolers | None = None,
) -> int:
    wanted = [name for name in kinds if any(words in name for words in options.only)]
    if not wanted:
        return 0
    state = Path(tempfile.mkdtemp(prefix="failover-"))
    settings = {"DATABASE_URL": address, "VALKEY_URL": valkeys.url, "CARDROOM_ONE_MACHINE": "1"}
    if poolers:
        settings |= {"DATABASE_SESSION": "false", "DATABASE_DIRECT_URL": postgres.url()}
    service = Elsewhere(state / "state", **settings, CARDROOM_KERNELS="python")
    service.cluster = postgres
    standbys = "synchronous" if postgres.is_synchronous else "asynchronous, a second behind"
    say(f"Standbys: {standbys}{', through PgBouncer and HAProxy' if poolers else ''}")
    with service:
        trial = Trial(service, valkeys, options.tables, poolers)
        say(TITLE)
        for name in wanted * options.rounds:
            if name not in trial.kinds:
                continue
            trial.round(name)
        bad = trial.verdict()
    if bad:
        say(f"The service's log: {service.log}")
    else:
        shutil.rmtree(state, ignore_errors=True)
    return bad


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make failover", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1, help="of each kind")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--trials", nargs="+", choices=TRIALS, default=list(TRIALS))
    parser.add_argument("--only", nargs="+", default=[""], help="rounds with these words")
    return parser.parse_args()


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main())
