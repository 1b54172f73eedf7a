"""The listeners of this process, and what wakes them: one subscription to Valkey for all.

The subscription carries no more than which match stands at which version. Changes that it misses
(Valkey is unreachable, a process was killed between its commit and its announcement) are found by
reading the versions of all matches that have listeners: now and then, often without Valkey.
"""

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

import structlog
from django.conf import settings
from django.utils import timezone
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from accounts.social import services
from config.api.errors import Unavailable
from config.refusals import Refusal
from config.uuid7 import least_uuid7
from config.valkey import listening_client
from games.live.listener import AWAY, Credential, Feed, Listener, read_talkative, still_valid
from games.live.news import (
    Waiting,
    give_signs_of_life,
    note_readers,
    read_waiting,
    read_with_other_news,
)
from games.lobby.finding import HERE, LATELY, WATCHED, member, watchers_key
from games.matches.announcements import CHANNEL, changes_in
from games.matches.selectors.access import People, Stamp, matches_of, people_of, stamps_of
from games.phrases import speaking

# Notes who listens: who is here at all, and who watches which match without playing in it.

PRESENCE_SECONDS: Final = 60  # seconds
PRESENCE_PERIOD: Final = 30.0  # seconds, for those who are here
PRESENCE_PATIENCE: Final[dict[str, Any]] = {
    "socket_timeout": 1,
    "socket_connect_timeout": 1,
    "retry": Retry(NoBackoff(), 1),
}


class Presence:
    """Of one process; ``watchers`` are the counts of all processes, as they were last read."""

    def __init__(self) -> None:
        self.watchers: dict[UUID, int] = {}
        self._here_at = 0.0
        self._here: set[str] = set()

    async def note(
        self, listeners: Iterable[Listener], looks_on: Callable[[Listener], bool]
    ) -> set[UUID]:
        """The matches whose number of watchers is another one now."""
        watching, here = _members(listeners, looks_on)
        try:
            async with listening_client(settings.VALKEY_URL, **PRESENCE_PATIENCE) as valkey:
                pipe: Any = valkey.pipeline(transaction=False)
                self._note_here(pipe, here)
                for match, members in watching.items():
                    _note_watchers(pipe, match, members)
                answers = await pipe.execute()
        except (RedisError, OSError):
            return set()
        counts = answers[-3 * len(watching) + 2 :: 3] if watching else []
        return self._learn(dict(zip(watching, counts, strict=True)))

    def _note_here(self, pipe: Any, here: set[str]) -> None:
        """Now and then all of them, and new ones at once."""
        now = time.time()
        is_time = now - self._here_at >= PRESENCE_PERIOD
        noted = here if is_time else here - self._here
        if is_time:
            self._here_at, self._here = now, set()
            pipe.zremrangebyscore(HERE, "-inf", now - LATELY)
        self._here |= noted
        if noted:
            pipe.zadd(HERE, dict.fromkeys(noted, now))
            pipe.expire(HERE, LATELY)

    def _learn(self, counts: dict[UUID, int]) -> set[UUID]:
        before, self.watchers = self.watchers, counts
        return {match for match, count in counts.items() if before.get(match, 0) != count}


def _note_watchers(pipe: Any, match: UUID, members: set[str]) -> None:
    """Three answers. A match with players alone is asked about too: others may watch elsewhere."""
    key, now = watchers_key(match), time.time()
    if members:
        pipe.zadd(key, dict.fromkeys(members, now))
    else:
        pipe.exists(key)
    pipe.expire(key, PRESENCE_SECONDS)
    pipe.zcount(key, now - WATCHED, "+inf")


def _members(
    listeners: Iterable[Listener], looks_on: Callable[[Listener], bool]
) -> tuple[dict[UUID, set[str]], set[str]]:
    watching: defaultdict[UUID, set[str]] = defaultdict(set)
    here: set[str] = set()
    for listener in listeners:
        name = _name(listener)
        here.add(name)
        if listener.watched:
            watching[listener.watched] |= {name} if looks_on(listener) else set()
    return dict(watching), here


def _name(listener: Listener) -> str:
    """Hashed once a stream: a process has thousands."""
    if not listener.member:
        listener.member = member(listener.credential.who)
    return listener.member


# Why a stream is not opened.


class TooManyStreams(Refusal, status=429):
    """You have as many open streams as one account may have. Close one first."""


class TooManyStreamsHere(TooManyStreams):
    """Your address has as many open streams as one may have. Close one first."""


# How many streams are open in this process: of an account, of an address, in all.
#
# Watchers may not take the last places, neither of the process nor of an address: these are kept
# for the players of the running match that a stream is about.

FOR_WATCHERS: Final = 0.75  # of all places


class OpenStreams:
    """Changed in the thread of the event loop, judged in any."""

    def __init__(self) -> None:
        self._of: Counter[UUID | str] = Counter()
        self._at: Counter[str] = Counter()
        self._watching_at: Counter[str] = Counter()

    def judge(self, credential: Credential, *, plays: bool) -> None:
        """Raises a refusal where there are too many."""
        address = credential.address
        if self._of[credential.who] >= (most := settings.LIMITS["streams"]):
            raise TooManyStreams(limit=most)
        most = settings.LIMITS["streams_of_address"]
        if not _is_room(self._at[address], self._watching_at[address], most, plays=plays):
            raise TooManyStreamsHere(limit=most)
        all_, watching = self._at.total(), self._watching_at.total()
        if not _is_room(all_, watching, settings.STREAMS_PER_PROCESS, plays=plays):
            raise Unavailable("There are too many open streams here. Try again in a minute.")

    def add(self, credential: Credential, *, plays: bool) -> None:
        self._of[credential.who] += 1
        self._at[credential.address] += 1
        if not plays:
            self._watching_at[credential.address] += 1

    def remove(self, credential: Credential, *, plays: bool) -> None:
        self._of -= Counter([credential.who])
        self._at -= Counter([credential.address])
        if not plays:
            self._watching_at -= Counter([credential.address])


def _is_room(all_: int, watching: int, most: int, *, plays: bool) -> bool:
    return all_ < most and (plays or watching < max(1, int(most * FOR_WATCHERS)))


SWEEP_SECONDS: Final = 2.0
SWEEP_SECONDS_WITHOUT_VALKEY: Final = 0.5
CHECK_SECONDS: Final = 5.0
# A connection that is lost is noticed at once; one that is silent has nothing to say.
LISTENER_PATIENCE: Final[dict[str, Any]] = {
    "socket_timeout": None,
    "socket_connect_timeout": 1,
    "retry": Retry(NoBackoff(), 0),
}
NEW_MATCH_AGE: Final = timedelta(minutes=1)
MOST_KEPT: Final = 20_000

log = structlog.get_logger(__name__)


class Sweep(NamedTuple):
    """The subjects of a sweep: matches, and the newest matches of these accounts."""

    ids: list[UUID]
    users: list[UUID]


class Hub:
    """To be used in the thread of the event loop, except ``judge``."""

    def __init__(self) -> None:
        self.feed = Feed()
        self._all: set[Listener] = set()
        self._watching: defaultdict[UUID, set[Listener]] = defaultdict(set)
        self._of_user: defaultdict[UUID, set[Listener]] = defaultdict(set)
        self._of_openings: set[Listener] = set()
        self._open = OpenStreams()
        self._seekers: Waiting | None = None
        self._presence = Presence()
        self._people: dict[UUID, People] = {}
        self._to_read: set[UUID] = set()
        self._reading: asyncio.Task[None] | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._ending: set[asyncio.Task[None]] = set()
        self._is_subscribed = False

    def __len__(self) -> int:
        return len(self._all)

    def judge(self, credential: Credential, *, plays: bool) -> None:
        """Refuses a stream where there are too many; may be called in any thread."""
        self._open.judge(credential, plays=plays)

    def add(self, listener: Listener) -> None:
        self._all.add(listener)
        self._open.add(listener.credential, plays=listener.plays)
        if listener.watched:
            self._watching[listener.watched].add(listener)
        if listener.user:
            self._of_user[listener.user].add(listener)
        if listener.watches_openings:
            self._of_openings.add(listener)
        if not self._tasks:
            self._tasks = [
                asyncio.create_task(self._subscribe()),
                asyncio.create_task(self._look()),
            ]

    def remove(self, listener: Listener) -> None:
        self._all.discard(listener)
        self._of_openings.discard(listener)
        self._open.remove(listener.credential, plays=listener.plays)
        _discard(self._watching, listener.watched, listener)
        _discard(self._of_user, listener.user, listener)
        if not self._all:
            self._rest()

    def _rest(self) -> None:
        """Stops all tasks: nobody listens any more."""
        for task in self._tasks:
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
            task.cancel()
        self._tasks, self._is_subscribed = [], False
        self._people.clear()

    def match_changed(self, match_id: UUID, version: int) -> None:
        """Wakes the listeners whom a match concerns. At version 0 it is opened or starts."""
        for listener in self._watching.get(match_id, ()):
            listener.changed(match_id)
        if not version:
            for listener in self._of_openings:
                listener.changed(match_id)
        if not self._of_user:
            return
        people = self._people.get(match_id)
        if people is None or people.may_change:
            self._to_read.add(match_id)
            if self._reading is None or self._reading.done():
                self._reading = asyncio.create_task(self._read_people_of_matches())
        else:
            self._wake_people(people.users, match_id)

    def _wake_people(self, users: frozenset[UUID], match_id: UUID) -> None:
        for user in users & self._of_user.keys():
            for listener in self._of_user[user]:
                listener.changed(match_id)

    async def _read_people_of_matches(self) -> None:
        """Reads whom these matches concern, and wakes the listeners among them."""
        try:
            while self._to_read:
                ids, self._to_read = self._to_read, set()
                read: dict[UUID, People] = await self.feed.read(_read_people, list(ids))
                if len(self._people) > MOST_KEPT:
                    self._people.clear()
                for match_id, people in read.items():
                    # People who were invited or sat here before get news that they no longer do.
                    before = self._people.get(match_id, people)
                    self._people[match_id] = people
                    self._wake_people(people.users | before.users | people.notified, match_id)
        except AWAY:
            pass  # the next sweep finds it
        finally:
            self._reading = None

    async def _subscribe(self) -> None:
        while True:
            try:
                await self._listen()
            except (RedisError, OSError, ValueError) as error:
                log.warning("live_without_valkey", cause=type(error).__name__)
            self._is_subscribed = False
            await asyncio.sleep(SWEEP_SECONDS_WITHOUT_VALKEY)

    async def _listen(self) -> None:
        valkey = listening_client(settings.VALKEY_URL, **LISTENER_PATIENCE)
        async with valkey, valkey.pubsub() as channel:
            await channel.subscribe(CHANNEL, speaking.CHANNEL, services.CHANNEL)
            self._is_subscribed = True
            async for message in channel.listen():
                if message["type"] == "message":
                    self._hear(message["channel"].decode(), message["data"])

    def _hear(self, channel: str, data: bytes) -> None:
        if channel == CHANNEL:
            for match_id, version in changes_in(data):
                self.match_changed(match_id, version)
        elif channel == speaking.CHANNEL:
            self._wake_tables(speaking.matches_in(data))
        else:
            self._wake_friends(services.accounts_in(data))

    def _wake_tables(self, matches: Iterable[UUID]) -> None:
        for match_id in matches:
            for listener in self._watching.get(match_id, ()):
                listener.spoken()

    def _wake_friends(self, accounts: Iterable[UUID]) -> None:
        for account in accounts:
            for listener in self._of_user.get(account, ()):
                listener.friends_changed()

    async def _look(self) -> None:
        """Finds missed changes, and ends the streams of those who may not listen any more."""
        check_at = time.monotonic() + CHECK_SECONDS
        while True:
            await asyncio.sleep(
                SWEEP_SECONDS if self._is_subscribed else SWEEP_SECONDS_WITHOUT_VALKEY
            )
            try:
                await self._sweep()
                await self._look_at_seekers()
                await self._count_watchers()
                if self._watching:
                    self._wake_tables(await self.feed.read(read_talkative, None))
                if time.monotonic() >= check_at:
                    check_at = time.monotonic() + CHECK_SECONDS
                    await self._check()
            except AWAY as error:
                log.warning("live_without_database", cause=type(error).__name__)
            except Exception:
                log.exception("live_look_failed")  # without sweeps, news could be lost

    async def _sweep(self) -> None:
        begun, listeners = time.time(), list(self._all)
        states = [(one, list(one.matches())) for one in listeners]
        ids = {match_id for _, matches in states for match_id, _ in matches}
        users = list(self._of_user)
        stamps, new = await self.feed.read(_read_stamps, Sweep(list(ids), users))
        for listener, matches in states:
            for match_id, stamp in matches:
                if stamps.get(match_id) != stamp:
                    listener.changed(match_id)
        for match_id, people in new.items():
            self._people[match_id] = people
            self._wake_people(people.users | people.notified, match_id)
        for listener in listeners:
            listener.swept(begun)

    async def _look_at_seekers(self) -> None:
        """Wakes the lobbies when somebody else waits."""
        if not self._of_openings:
            return
        seekers = await self.feed.read(read_waiting, None)
        if seekers != self._seekers:
            self._seekers = seekers
            for listener in self._of_openings:
                listener.lobby_changed()

    async def _count_watchers(self) -> None:
        """Without Valkey nobody is counted."""
        if not self._is_subscribed:
            return
        for match_id in await self._presence.note(list(self._all), self._looks_on):
            for listener in self._watching.get(match_id, ()):
                listener.watchers_changed(self._presence.watchers[match_id])

    def _looks_on(self, listener: Listener) -> bool:
        """Whether the reader has no seat in the match; they may have sat down meanwhile."""
        people = self._people.get(listener.watched) if listener.watched else None
        return not listener.sits and (
            people is None or listener.credential.user not in people.users
        )

    async def _check(self) -> None:
        users = list(self._of_user)
        await self.feed.read(give_signs_of_life, users)
        await self.feed.read(note_readers, _with_a_page(self._all))
        self._wake_friends(await self.feed.read(read_with_other_news, users))
        listeners = list(self._all)
        distinct = list({listener.credential for listener in listeners})
        verdicts = await self.feed.read(_read_verdicts, distinct)
        refused = {one for one, holds in zip(distinct, verdicts, strict=True) if not holds}
        for listener in listeners:
            listener.checked()
            if listener.credential in refused:
                listener.end()


def _with_a_page(listeners: Iterable[Listener]) -> list[UUID]:
    """The accounts that look at a page; a program listens with a key."""
    credentials = {listener.credential for listener in listeners}
    return [one.user for one in credentials if one.session and one.user]


def _discard(
    listeners: defaultdict[UUID, set[Listener]], key: UUID | None, listener: Listener
) -> None:
    if key is not None and key in listeners:
        listeners[key].discard(listener)
        if not listeners[key]:
            del listeners[key]


def _read_people(queries: Sequence[list[UUID]]) -> list[dict[UUID, People]]:
    return [people_of(ids) for ids in queries]


def _read_stamps(queries: Sequence[Sweep]) -> list[tuple[dict[UUID, Stamp], dict[UUID, People]]]:
    """The states of the matches, and the people whom new ones concern."""
    return [(stamps_of(sweep.ids), _new_matches(sweep)) for sweep in queries]


def _new_matches(sweep: Sweep) -> dict[UUID, People]:
    if not sweep.users:
        return {}
    new = matches_of(sweep.users, newer_than=least_uuid7(timezone.now() - NEW_MATCH_AGE))
    return people_of(new - set(sweep.ids))


def _read_verdicts(queries: Sequence[list[Credential]]) -> list[list[bool]]:
    return [still_valid(credentials) for credentials in queries]


_hub = Hub()


def hub() -> Hub:
    """The hub of this process."""
    return _hub


def open_streams() -> int:
    """The number of streams open in this process."""
    return len(_hub)
