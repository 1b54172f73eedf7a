"""Announcements of a commit: news of a match for listeners, due bot turns for the workers.

What listeners can rely on: after each commit that changed a match the channel ``matches`` gets
its id and the version that it has then, and nothing secret. What is committed together, or while
the last message was on its way, is one message. Messages of one process about one match come in
the order of its commits. They may be late, lost, doubled and, between processes,
out of order: a listener takes the highest version and reads what it missed from the database. If it
has that version already, something else of the match has changed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import redis
from celery import current_app

from config.tasks import after_commit
from config.tasks.queues import ALONE, INTERACTIVE, SLOW
from config.telemetry import work
from games.matches import turn_queue
from games.matches.snapshot import MatchSnapshot
from games.matches.turn_queue import DueTurn, TurnClass

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
            turn_queue.push([turn for turn, _ in turns], pipe)
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
        turn_queue.release_task(turn.turn_class)
        return error
    return None


def announce(*matches: MatchSnapshot, causes: Mapping[UUID, str] | None = None) -> None:
    """Announces matches that were written; returns at once and raises nothing.

    What is committed is committed, whatever the broker does and whatever is wrong with a match: one
    whose turn cannot be classed is announced without it. ``causes`` are the requests that moved
    them, where it was not the present one.
    """
    if matches:
        after_commit.announce(
            *(_changed(match, _due_turn_or_none(match), causes or {}) for match in matches)
        )


def announce_again(match: MatchSnapshot) -> None:
    """The same for recovery, which has to know of a turn that nobody can play: raises its error."""
    after_commit.announce(_changed(match, turn_queue.due_turn(match), {}))


def _changed(
    match: MatchSnapshot, turn: DueTurn | None, causes: Mapping[UUID, str]
) -> MatchChanged:
    return MatchChanged(match.id, match.version, turn, causes.get(match.id) or work.request_id())


def _due_turn_or_none(match: MatchSnapshot) -> DueTurn | None:
    try:
        return turn_queue.due_turn(match)
    except Exception as error:  # noqa: BLE001 - such as a computer that is gone; recovery tells it
        after_commit.failed(error, "due_turn", match=match.id)
        return None


def send_drain(turn_class: TurnClass, seconds: float = 0.0) -> None:
    """Sends a task that plays the due turns of a class, now or in some seconds."""
    current_app.send_task(
        DRAIN, (turn_class,), queue=QUEUES[turn_class], countdown=seconds or None, retry=False
    )
