"""The bell for due bot turns: which matches wait, taken fairly between accounts.

Kept in Valkey and rung after the commit. ``Match.bot_due_at`` is the truth: what is lost here is
rung again by the recovery task, and a turn that was taken twice dies at the version check. No
secret travels: an entry is a match's id and its version.

Each class has a ring of accounts with turns due. Taking one turns the ring by one account, so an
account with forty matches gets no more turns than one with a single match. Turns that are due
later wait aside.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from time import time
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from games.matches.snapshot import MatchSnapshot

TurnClass = Literal["quick", "slow", "alone"]
"""A person waits for a cheap bot, a person waits for a costly one, no person is in the match."""

NAME = "turns"  # before every key
TOKEN_MS: Final = 2000  # then a task that was asked for is taken for lost
MOVED_AT_ONCE: Final = 100

# An entry is "account match version". KEYS: the ring of accounts, what is due later, the token of
# the task that plays or is on its way, the bell that wakes it while it waits. The turns of an
# account are a sorted set beside the ring.
_PUT = """
local function put(entry, at)
    local account = string.match(entry, '^%S+')
    local turns = KEYS[1] .. ':' .. account
    if redis.call('ZADD', turns, 'NX', at, entry) == 1 and redis.call('ZCARD', turns) == 1 then
        redis.call('RPUSH', KEYS[1], account)
    end
end
"""
# ARGV: milliseconds that a token lives; then for each turn its entry, when it is due, milliseconds
# until then. Returns which of them, from 0, need a task.
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
# token of who takes lives on (0: it holds none). Returns first how many accounts still wait.
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
    match_id: UUID
    version: int


def due_turn(match: MatchSnapshot) -> DueTurn | None:
    """What the bots of a match owe; ``None`` where they owe nothing."""
    if match.bot_due_at is None:
        return None
    return DueTurn(class_of(match), match.creator_id, match.id, match.version, match.bot_due_at)


def class_of(match: MatchSnapshot) -> TurnClass:
    if not match.has_people:
        return "alone"
    bots = [match.bot_in_control(seat) for seat in match.to_act]
    return "slow" if any(bot and match.rules.bot(bot).cost == "slow" for bot in bots) else "quick"


def push(turns: Sequence[DueTurn], valkey: "redis.Redis") -> Any:
    """Adds turns of one class; the answer, which a pipeline has later, says who needs a task.

    It is a list of places in ``turns``.
    """
    keys = _keys(turns[0].turn_class)
    said: list[str | float] = [TOKEN_MS]
    for turn in turns:
        said += [turn.entry, turn.at.timestamp(), int(turn.seconds_left() * 1000)]
    return valkey.eval(_PUSH, len(keys), *keys, *said)


def take(turn_class: TurnClass) -> Taken | None:
    """The first due turn of the account whose turn it is; ``None`` when nothing is due."""
    turns, _ = take_some(turn_class, 1)
    return next(iter(turns), None)


def take_some(turn_class: TurnClass, most: int, *, stays: bool = False) -> tuple[list[Taken], bool]:
    """Up to so many due turns, an account's after the other's; and whether more are due.

    A task that stays keeps the token: until it lays it down no other one is asked for.
    """
    keys = _keys(turn_class)
    said = time(), MOVED_AT_ONCE, most, TOKEN_MS if stays else 0
    accounts, *entries = _valkey().eval(_TAKE, len(keys), *keys, *said)
    return [_taken(entry) for entry in entries], accounts > 0


def _taken(entry: bytes) -> Taken:
    _, match_id, version = entry.decode().split()
    return Taken(UUID(match_id), int(version))


def wait(turn_class: TurnClass, seconds: float) -> bool:
    """Waits until a turn becomes due after the last ones were taken; whether one did."""
    *_, bell = _keys(turn_class)
    return _valkey().blpop([bell], timeout=seconds) is not None


def lay_down(turn_class: TurnClass) -> None:
    """The next turn that is due asks for a task."""
    _valkey().delete(_keys(turn_class)[2])


def ask_again_in(turn_class: TurnClass) -> float | None:
    """Seconds until a task is needed for what is left; ``None`` if nothing is, or one is coming."""
    ring, later, token, _ = _keys(turn_class)
    valkey = _valkey()
    if valkey.exists(ring):
        seconds = 0.0
    elif first := valkey.zrange(later, 0, 0, withscores=True):
        seconds = max(0.0, float(first[0][1]) - time())
    else:
        return None
    reserved = valkey.set(token, "1", nx=True, px=TOKEN_MS + int(seconds * 1000))
    return seconds if reserved else None


def _keys(turn_class: TurnClass) -> tuple[str, str, str, str]:
    name = f"{NAME}:{turn_class}"
    return name, f"{name}:later", f"{name}:asked", f"{name}:bell"


def _valkey() -> "redis.Redis":
    return _client(settings.VALKEY_URL)


@lru_cache(maxsize=1)
def _client(url: str) -> "redis.Redis":
    return redis.Redis.from_url(
        url, socket_timeout=2, socket_connect_timeout=1, retry=Retry(NoBackoff(), 1)
    )
