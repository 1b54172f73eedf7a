"""A match under an operator's lock; every act is logged, and players may read of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.audit import log
from accounts.audit.log import Actor
from config.refusals import Refusal
from config.tasks import after_commit
from games.matches.announcements import announce
from games.matches.models import Match, Notice, Seat
from games.matches.refusals import MatchNotActive, NoSuchMatch
from games.matches.selectors.access import get_match, snapshot_of
from games.matches.snapshot import MatchSnapshot

NOTICE_LENGTH = 500


class CannotReferee(Refusal, status=409):
    """The match does not allow this now."""


@dataclass
class Case:
    """A match under an operator's lock: its row, its seats, and their snapshot."""

    row: Match
    seats: list[Seat]

    @property
    def match(self) -> MatchSnapshot:
        return snapshot_of(self.row, self.seats)

    def seat(self, index: int) -> Seat:
        if not 0 <= index < len(self.seats):
            raise CannotReferee("The match has no such seat.")
        return self.seats[index]


@contextmanager
def locked(match_id: UUID) -> Iterator[Case]:
    with transaction.atomic():
        row = Match.objects.select_for_update().filter(id=match_id).first()
        if row is None:
            raise NoSuchMatch
        yield Case(row, list(row.seats.order_by("index")))


@contextmanager
def running(match_id: UUID) -> Iterator[Case]:
    with locked(match_id) as case:
        check_active(case.match)
        yield case


def bots_not_installed(match: MatchSnapshot) -> dict[int, str]:
    """The seats whose computer this installation does not have, with its slug."""
    if match.status != "active" or not match.is_playable:
        return {}
    known = {bot.slug for bot in match.rules.bots}
    seats = ((seat.index, seat.stand_in or seat.bot) for seat in match.seats)
    return {index: slug for index, slug in seats if slug and slug not in known}


def seats_for_a_bot(match: MatchSnapshot) -> list[int]:
    """Those that a bot may be given: of people who play, and of computers that are gone."""
    if match.status != "active" or not match.is_playable:
        return []
    gone, out = bots_not_installed(match), match.rules.retired_seats(match.state)
    return [
        seat.index
        for seat in match.seats
        if seat.resigned_at is None and seat.index not in out
        if seat.index in gone or (seat.kind != Seat.Kind.BOT and not seat.stand_in)
    ]


def seats_to_give_back(match: MatchSnapshot) -> list[int]:
    seats = match.seats if match.status == "active" else ()
    return [seat.index for seat in seats if seat.stand_in and seat.kind != Seat.Kind.BOT]


def check_active(match: MatchSnapshot) -> None:
    if match.status != "active":
        raise MatchNotActive(f"The match is {match.status}.")


def log_act(by: Actor, action: str, match: MatchSnapshot, **details: Any) -> None:
    subject = f"{match.rules.name}: {', '.join(name or 'open' for name in match.names)}"
    about = {"version": match.version, **details}
    log.record(by, action, "match", match.id, subject, **about)


def notify_players(match_id: UUID, text: str) -> Notice:
    """Writes a notice for everybody at the table. Pages load it because the match was touched."""
    notice = Notice.objects.create(match_id=match_id, text=text[:NOTICE_LENGTH])
    Match.objects.filter(id=match_id).update(updated_at=timezone.now())
    after_commit.when_committed(lambda: announce(get_match(match_id)))
    return notice
