"""Records of matches: one as a document, many as lines, one that a client wants checked."""

import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import lru_cache
from threading import BoundedSemaphore
from typing import Any, Final
from uuid import UUID, uuid4

import msgspec
import redis
from celery import current_app
from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from kombu.exceptions import OperationalError
from redis.backoff import NoBackoff
from redis.retry import Retry

from cardroom.rules import course, record
from cardroom.rules import record as rules_record
from cardroom.rules.course import DeckPlaces
from cardroom.rules.record import Fault, LoadedFrom, Record, RecordedRound, RecordedSeat, Reshuffled
from config.tasks.queues import CHECKS
from config.valkey import valkey_client
from games.matches.models import Match, Round
from games.matches.refusals import DealIsSealed, GameNotInstalled, MatchNotOver, ParentStillRunning
from games.matches.selectors.access import get_match
from games.matches.selectors.history import reopened_with
from games.matches.selectors.lineage import rounds_of_match
from games.matches.selectors.lists import find_matches
from games.matches.selectors.log import decks_of, log_entries
from games.matches.selectors.secrecy import is_sealed, may_tell_all, named_for
from games.matches.snapshot import MatchSnapshot, SeatSnapshot

# The record of a match that is over, from what is stored of it (FORMAT.md §2).


def of(match: MatchSnapshot, reader: UUID | None = None) -> Record:
    """The record, which holds every card; without a reader as anybody may read it.

    Raises ``MatchNotOver`` while the match runs, ``ParentStillRunning`` while another match runs
    whose cards it would show this reader, ``DealIsSealed`` while others are dealt its cards.
    """
    if not match.is_over or match.finished_at is None:
        raise MatchNotOver("The record holds every card; it is there when the match is over.")
    if is_sealed(match):
        raise DealIsSealed
    if not may_tell_all(match, reader):
        raise ParentStillRunning(
            "The record shows cards of a match that still runs; it is there when that one is over."
        )
    return record.build(
        match.rules,
        match=str(match.id),
        options=match.options,
        seats=[_seat(match, row) for row in match.seats],
        seed=match.seed,
        started_at=match.started_at or (match.created_at if _has_a_past(match) else None),
        finished_at=match.finished_at,
        rounds=list(_rounds(match)),
        outcome=match.outcome or course.aborted(match.sides, ()),
        loaded_from=_loaded_from(match),
    )


def _has_a_past(match: MatchSnapshot) -> bool:
    """Whether cards were dealt: here, or in the match that this one was loaded from."""
    return match.state_json is not None


def _seat(match: MatchSnapshot, row: SeatSnapshot) -> RecordedSeat:
    """Of a computer that was replaced the other one: nobody could check a record of one unknown."""
    kind: Any = "user" if row.kind == "open" and _has_a_past(match) else row.kind
    bot = row.stand_in or row.bot if row.kind == "bot" else row.bot
    return RecordedSeat(row.name, kind, bot or None, row.side_deck)


def _rounds(match: MatchSnapshot) -> Iterator[RecordedRound]:
    """Each round with the moves from its opening up to the next one's."""
    entries, places = list(log_entries(match)), DeckPlaces()
    rounds = rounds_of_match(match)
    ends = [following.opening_version for following in rounds[1:]] + [match.version]
    for round_, end in zip(rounds, ends, strict=False):  # no round, no end
        played = entries[round_.opening_version + 1 : end + 1]
        opened, later = decks_of(bytes(round_.decks)), [d for e in played for d in e.decks]
        reshuffled = _reshuffled(round_, places, len(opened))
        places.dealt(len(later))
        yield RecordedRound(
            number=round_.number,
            shuffles=tuple(record.deck_text(match.rules, deck) for deck in [*opened, *later]),
            moves=tuple(record.entry(e.seat, e.move) for e in played),
            scores=None if round_.scores is None else tuple(round_.scores),
            undone=round_.undone_at is not None,
            reshuffled=reshuffled,
        )


def _reshuffled(round_: Round, places: DeckPlaces, decks: int) -> tuple[Reshuffled, ...] | None:
    """The cards that a roll-back dealt again, by their places in the record."""
    if round_.reopened is None:
        places.opened(round_.number, decks)
        return None
    where, _ = places.reopened(round_.number, reopened_with(round_).moved)
    return tuple(Reshuffled(deck, positions) for deck, positions in where)


def _loaded_from(match: MatchSnapshot) -> LoadedFrom | None:
    """The parent and, inside it, the parent's own; a parent that still runs keeps its seed."""
    if match.parent_id is None or match.loaded is None:
        return None
    parent = get_match(match.parent_id)
    moved = [Reshuffled(deck, positions) for deck, positions in match.loaded.moved]
    return LoadedFrom(
        match=str(parent.id),
        version=match.parent_version or 0,
        cards=match.loaded.cards,
        seats=match.loaded.seats,
        shuffles=match.loaded.shuffles,
        commitment=parent.commitment,
        seed=parent.seed.hex() if parent.is_over else None,
        reshuffled=tuple(moved) if match.loaded.reshuffled else None,
        loaded_from=_loaded_from(parent),
    )


# Records of many matches, one after the other.


def find_over(
    *,
    user: UUID | None,
    mine: bool,
    game: str = "",
    since: datetime | None = None,
    after: UUID | None = None,
) -> QuerySet[Match]:
    """Matches that are over and that the user may find, in the order in which they were opened."""
    return in_order(over(find_matches(user=user, mine=mine), game, since), after)


def find_stored(*, private: bool, game: str = "", since: datetime | None = None) -> list[UUID]:
    """Public matches that are over, or all, with those that they were loaded from before them."""
    stored = Match.objects.all()
    if not private:
        stored = stored.filter(visibility=Match.Visibility.PUBLIC)
    wanted = in_order(over(stored, game, since), None).values_list("id", flat=True)
    finished = over(stored)
    parents = dict(finished.filter(parent__in=finished).values_list("id", "parent_id"))
    ordered: dict[UUID, None] = {}
    for match_id in wanted:
        line = [match_id]
        while (parent := parents.get(line[-1])) is not None:
            line.append(parent)
        ordered |= dict.fromkeys(reversed(line))
    return list(ordered)


def over(
    matches: QuerySet[Match], game: str = "", since: datetime | None = None
) -> QuerySet[Match]:
    """The matches that are over, of a game and since a time if these are given."""
    matches = matches.filter(finished_at__isnull=False)
    if game:
        matches = matches.filter(game=game)
    return matches if since is None else matches.filter(finished_at__gte=since)


def in_order(matches: QuerySet[Match], after: UUID | None) -> QuerySet[Match]:
    """The order of every file of records, which goes on after a match that was written."""
    return (matches if after is None else matches.filter(id__gt=after)).order_by("id")


def record_lines(
    matches: Iterable[UUID], *, reader: UUID | None, names_all: bool = False
) -> Iterator[bytes]:
    """A record a line, without those that the reader may not see (FORMAT.md, Who may see what).

    ``names_all``: also people who hide, for the operator of the installation.

    A record is read when the one before was taken, in whatever thread takes it.
    """
    for match_id in matches:
        try:
            match = get_match(match_id)
            match_record = of(match if names_all else named_for(match, reader), reader)
        except (DealIsSealed, GameNotInstalled, MatchNotOver, ParentStillRunning):
            continue
        if not connection.in_atomic_block:
            connection.close()  # a slow reader keeps none, and the next line may use another thread
        yield rules_record.write(match_record) + b"\n"


# Judging anybody's record: a large one takes seconds, so a worker does it and not a request.
#
# The record and the verdict go through Valkey, the record for as long as somebody waits for it.
# It is of a match that is over, so it holds no secret.

CHECK: Final = "games.matches.tasks.check_record"
KEPT_FOR: Final = 10  # seconds, of a verdict that nobody has fetched
LOOKS_AGAIN: Final = 1  # seconds that Valkey is asked to wait for a verdict at a time
FORESEEN: Final = 1.0  # processor seconds that a large record is expected to take

# Requests that wait hold a thread each; some are left to all other requests.
_may_wait = BoundedSemaphore(max(1, settings.WEB_THREADS * 3 // 4))
_verdict: msgspec.json.Decoder[Fault | None] = msgspec.json.Decoder(Fault | None)


class NoVerdict(Exception):
    """No worker has judged the record in time."""


class Unfinished(NoVerdict):
    """A worker is still judging it."""


def check_uploaded(data: Any, used: Callable[[float], None]) -> Fault | None:
    """The first fault of a record, ``None`` for a valid one. Raises NoVerdict.

    ``used`` is called with the processor seconds; with an estimate before the work begins, so that
    many records sent at once do not count too late.
    """
    body = msgspec.json.encode(data)
    if len(body) <= settings.RECORD_BYTES_IN_PLACE:
        return _in_place(data, used)
    if not _may_wait.acquire(blocking=False):
        raise NoVerdict
    used(FORESEEN)
    seconds = 0.0
    try:
        verdict, seconds = _by_worker(body)
        return _verdict.decode(verdict)
    except (redis.RedisError, OperationalError) as error:
        raise NoVerdict from error
    except Unfinished:
        seconds = settings.RECORD_SECONDS
        raise
    finally:
        used(seconds - FORESEEN)
        _may_wait.release()


def _in_place(data: Any, used: Callable[[float], None]) -> Fault | None:
    begun = time.thread_time()
    try:
        return record.verify(data)
    finally:
        used(time.thread_time() - begun)


def _by_worker(body: bytes) -> tuple[bytes | str, float]:
    """The verdict, and the seconds that it took."""
    name, seconds, valkey = f"check:{uuid4()}", settings.RECORD_SECONDS, _valkey()
    begun = time.monotonic()
    valkey.set(name, body, ex=seconds + KEPT_FOR)  # deleted when the wait ends
    current_app.send_task(CHECK, (name,), queue=CHECKS, expires=seconds, retry=False)
    answer = None
    while answer is None and time.monotonic() < begun + seconds:
        answer = valkey.blpop([f"{name}:verdict"], timeout=LOOKS_AGAIN)
    if answer is None:
        raise NoVerdict if valkey.delete(name) else Unfinished
    took = valkey.getdel(f"{name}:seconds")  # a worker of an earlier release does not give it
    return answer[1], float(took) if took else time.monotonic() - begun


def work_off(name: str) -> None:
    """Judges a record for the request that waits; does nothing if it has stopped waiting."""
    valkey = _valkey()
    body = valkey.getdel(name)
    if body is None:
        return
    begun = time.thread_time()
    verdict = msgspec.json.encode(record.verify(body))
    with valkey.pipeline() as together:
        together.set(f"{name}:seconds", time.thread_time() - begun, ex=KEPT_FOR)
        together.rpush(f"{name}:verdict", verdict)
        together.expire(f"{name}:verdict", KEPT_FOR)
        together.execute()


def _valkey() -> "redis.Redis":
    return _client(settings.VALKEY_URL)


@lru_cache(maxsize=1)
def _client(url: str) -> "redis.Redis":
    """A Valkey that does not answer is not waited for as a worker is."""
    return valkey_client(
        url,
        socket_timeout=2 * LOOKS_AGAIN,
        socket_connect_timeout=0.5,
        retry=Retry(NoBackoff(), 1),
    )
