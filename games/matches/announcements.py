"""Announcements of a commit: news of a match for listeners, the queue of due bot turns for workers.

Guarantees for listeners: after each commit that changed a match the channel ``matches`` gets
its id and the version that it has then, and nothing secret. What is committed together, or while
the last message was on its way, is one message. Messages of one process about one match come in
the order of its commits. They may be late, lost, doubled and, between processes,
out of order: a listener takes the highest version and reads what it missed from the database. If it
has that version already, something else of the match has changed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from time import time
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

import redis
from celery import current_app
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.tasks import after_commit
from config.tasks.queues import ALONE, INTERACTIVE, SLOW
from config.telemetry import work
from config.valkey import valkey_client
from games.matches.snapshot import MatchSnapshot

# The queue of due bot turns: announced to the workers, taken fairly between accounts.
#
# It lies in Valkey and is filled after the commit. ``Match.bot_due_at`` is the truth: the recovery
# task announces a lost turn again, and a turn that was taken twice ends at the version check. No
# secret travels: an entry is a match's id and its version.
#
# Each class has a ring of accounts with turns due. Taking one turns the ring by one account, so an
# account with forty matches gets no more turns than one with a single match. Turns that are due
# later wait aside.
#
# A task is reserved before it is sent, so that one turn more does not send one task more. The
# reservation ends when the task ends, or by itself if the task is lost.

TurnClass = Literal["quick", "slow", "alone"]
"""A person waits for a cheap bot, a person waits for a costly one, no person is in the match."""

NAME = "turns"  # before every key
TASK_MS: Final = 2000  # then a task that was reserved counts as lost
MOVED_AT_ONCE: Final = 100

# An entry is "account match version". KEYS: the ring of accounts, the turns that are due later, the
# reservation of the task that plays or is on its way, the list that wakes it while it waits. The
# turns of an account are a sorted set beside the ring.
_PUT = """
local function put(entry, at)
    local account = string.match(entry, '^%S+')
    local turns = KEYS[1] .. ':' .. account
    if redis.call('ZADD', turns, 'NX', at, entry) == 1 and redis.call('ZCARD', turns) == 1 then
        redis.call('RPUSH', KEYS[1], account)
    end
end
"""
# ARGV: milliseconds that a reservation lasts; then for each turn its entry, when it is due, and how
# many milliseconds until then. Returns which of them, from 0, need a task.
_PUSH = f"""{_PUT}
local needs = {{}}
for n = 2, #ARGV, 3 do
    local entry, at, wait = ARGV[n], ARGV[n + 1], tonumber(ARGV[n + 2])
    if wait > 0 then
        redis.call('ZADD', KEYS[2], 'NX', at, entry)
    else
        put(entry, at)
    end
    if redis.call('SET', KEYS[3], '1', 'NX', 'PX', wait + ARGV[1]) then
        table.insert(needs, (n - 2) / 3)
    elseif wait <= 0 and redis.call('EXISTS', KEYS[4]) == 0 then
        redis.call('RPUSH', KEYS[4], '1')
        redis.call('PEXPIRE', KEYS[4], ARGV[1])
    end
end
return needs
"""
# ARGV: the time now, how many turns may become due at once, how many to take, milliseconds that the
# taking task stays reserved (0: it is not). Returns first how many accounts still wait.
_TAKE = f"""{_PUT}
local due = redis.call('ZRANGE', KEYS[2], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[2])
for _, entry in ipairs(due) do
    put(entry, redis.call('ZSCORE', KEYS[2], entry))
    redis.call('ZREM', KEYS[2], entry)
end
if tonumber(ARGV[4]) > 0 then
    redis.call('SET', KEYS[3], '1', 'PX', ARGV[4])
    redis.call('DEL', KEYS[4])
end
local taken = {{}}
while #taken < tonumber(ARGV[3]) do
    local account = redis.call('LPOP', KEYS[1])
    if not account then
        break
    end
    local turns = KEYS[1] .. ':' .. account
    table.insert(taken, redis.call('ZPOPMIN', turns)[1])
    if redis.call('ZCARD', turns) > 0 then
        redis.call('RPUSH', KEYS[1], account)
    end
end
table.insert(taken, 1, redis.call('LLEN', KEYS[1]))
return taken
"""


class DueTurn(NamedTuple):
    """A match whose bots are due from ``at`` on."""

    turn_class: TurnClass
    account: UUID
    match_id: UUID
    version: int
    at: datetime

    @property
    def entry(self) -> str:
        return f"{self.account} {self.match_id} {self.version}"

    def seconds_left(self) -> float:
        return max(0.0, self.at.timestamp() - time())


class Taken(NamedTuple):
    """A turn that a task has taken, to be played at this version."""

    match_id: UUID
    version: int


def due_turn(match: MatchSnapshot) -> DueTurn | None:
    """The due turn of a match's bots; ``None`` where none is due."""
    if match.bot_due_at is None:
        return None
    return DueTurn(
        turn_class_of(match), match.creator_id, match.id, match.version, match.bot_due_at
    )


def turn_class_of(match: MatchSnapshot) -> TurnClass:
    if not match.has_people:
        return "alone"
    bots = [match.bot_in_control(seat) for seat in match.to_act]
    return "slow" if any(bot and match.rules.bot(bot).cost == "slow" for bot in bots) else "quick"


def push_turns(turns: Sequence[DueTurn], valkey: "redis.Redis") -> Any:
    """Adds turns of one class; the result, which a pipeline has later, says which need a task.

    It is a list of places in ``turns``.
    """
    keys = _keys(turns[0].turn_class)
    arguments: list[str | float] = [TASK_MS]
    for turn in turns:
        arguments += [turn.entry, turn.at.timestamp(), int(turn.seconds_left() * 1000)]
    return valkey.eval(_PUSH, len(keys), *keys, *arguments)


def take_turn(turn_class: TurnClass) -> Taken | None:
    """The first due turn of the account whose turn it is; ``None`` when nothing is due."""
    turns, _ = take_turns(turn_class, 1)
    return next(iter(turns), None)


def take_turns(
    turn_class: TurnClass, most: int, *, stays: bool = False
) -> tuple[list[Taken], bool]:
    """Up to ``most`` due turns, one account after the other; and whether more are due.

    A task that stays keeps its reservation: until it releases it no other one is sent.
    """
    keys = _keys(turn_class)
    arguments = time(), MOVED_AT_ONCE, most, TASK_MS if stays else 0
    accounts, *entries = _valkey().eval(_TAKE, len(keys), *keys, *arguments)
    return [_taken(entry) for entry in entries], accounts > 0


def _taken(entry: bytes) -> Taken:
    _, match_id, version = entry.decode().split()
    return Taken(UUID(match_id), int(version))


def wait_for_turn(turn_class: TurnClass, seconds: float) -> bool:
    """Waits until a turn becomes due after the last ones were taken; whether one did."""
    *_, wake = _keys(turn_class)
    return _valkey().blpop([wake], timeout=seconds) is not None


def release_task(turn_class: TurnClass) -> None:
    """Ends the reservation: the next due turn sends a task again."""
    _valkey().delete(_keys(turn_class)[2])


def reserve_next_task(turn_class: TurnClass) -> float | None:
    """Seconds until a task is needed for the rest; ``None`` if none is, or one is on its way."""
    ring, later, reservation, _ = _keys(turn_class)
    valkey = _valkey()
    if valkey.exists(ring):
        seconds = 0.0
    elif first := valkey.zrange(later, 0, 0, withscores=True):
        seconds = max(0.0, float(first[0][1]) - time())
    else:
        return None
    reserved = valkey.set(reservation, "1", nx=True, px=TASK_MS + int(seconds * 1000))
    return seconds if reserved else None


def _keys(turn_class: TurnClass) -> tuple[str, str, str, str]:
    name = f"{NAME}:{turn_class}"
    return name, f"{name}:later", f"{name}:asked", f"{name}:bell"


def _valkey() -> "redis.Redis":
    return _client(settings.VALKEY_URL)


@lru_cache(maxsize=1)
def _client(url: str) -> "redis.Redis":
    return valkey_client(
        url, socket_timeout=2, socket_connect_timeout=1, retry=Retry(NoBackoff(), 1)
    )


CHANNEL = "matches"
DRAIN = "games.matches.tasks.drain"
QUEUES: dict[TurnClass, str] = {"quick": INTERACTIVE, "slow": SLOW, "alone": ALONE}


@dataclass(frozen=True)
class MatchChanged:
    """A match stands at a new version; no more than that travels."""

    match_id: UUID
    version: int
    turn: DueTurn | None
    request_id: str = ""

    def send(self, broker: "redis.Redis") -> None:
        self.send_all([self], broker)

    @classmethod
    def send_all(cls, several: Sequence["MatchChanged"], broker: "redis.Redis") -> None:
        """Sends all in one round trip, then the tasks that the due turns need."""
        pipe = broker.pipeline(transaction=False)
        pipe.publish(CHANNEL, message_of(several))
        due: dict[TurnClass, list[tuple[DueTurn, str]]] = {}
        for one in several:
            if one.turn:
                due.setdefault(one.turn.turn_class, []).append((one.turn, one.request_id))
        for turns in due.values():
            push_turns([turn for turn, _ in turns], pipe)
        in_need = pipe.execute()[1:]
        needed = [
            turns[place]
            for turns, places in zip(due.values(), in_need, strict=True)
            for place in places
        ]
        errors = [error for one in needed if (error := _send_drain_or_release(*one)) is not None]
        if errors:
            raise errors[0]


def message_of(changes: Sequence[MatchChanged]) -> str:
    """A line for each: the match's id and its version."""
    return "\n".join(f"{one.match_id} {one.version}" for one in changes)


def changes_in(message: bytes) -> Iterator[tuple[UUID, int]]:
    """The matches of a message and their versions."""
    for line in message.decode().splitlines():
        match_id, _, version = line.partition(" ")
        yield UUID(match_id), int(version)


def _send_drain_or_release(turn: DueTurn, request_id: str) -> Exception | None:
    """The error where no task could be sent: then the next due turn tries again at once."""
    try:
        with work.working_for(request_id):
            send_drain(turn.turn_class, turn.seconds_left())
    except Exception as error:  # noqa: BLE001 - the tasks of the other classes are sent too
        release_task(turn.turn_class)
        return error
    return None


def announce(*matches: MatchSnapshot, causes: Mapping[UUID, str] | None = None) -> None:
    """Announces matches that were written; returns at once and raises nothing.

    The commit stands, whatever the broker does and whatever is wrong with a match: one whose turn
    cannot be classed is announced without it. ``causes`` are the requests that moved them, where it
    was not the present one.
    """
    if matches:
        after_commit.announce(
            *(_changed(match, _due_turn_or_none(match), causes or {}) for match in matches)
        )


def announce_again(match: MatchSnapshot) -> None:
    """The same for recovery, which has to know of a turn that nobody can play: raises its error."""
    after_commit.announce(_changed(match, due_turn(match), {}))


def _changed(
    match: MatchSnapshot, turn: DueTurn | None, causes: Mapping[UUID, str]
) -> MatchChanged:
    return MatchChanged(match.id, match.version, turn, causes.get(match.id) or work.request_id())


def _due_turn_or_none(match: MatchSnapshot) -> DueTurn | None:
    try:
        return due_turn(match)
    except Exception as error:  # noqa: BLE001 - such as a computer that is gone; recovery tells it
        after_commit.failed(error, "due_turn", match=match.id)
        return None


def send_drain(turn_class: TurnClass, seconds: float = 0.0) -> None:
    """Sends a task that plays the due turns of a class, now or in some seconds."""
    current_app.send_task(
        DRAIN, (turn_class,), queue=QUEUES[turn_class], countdown=seconds or None, retry=False
    )
