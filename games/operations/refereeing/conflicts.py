"""Nobody on the staff decides what concerns themselves.

A player of a match, or of a running one that shares its cards, does nothing to it, alone or in a
bulk run. A person's opponent does not suspend or erase them, which would end the match. The author
of a report, and the person reported, do not resolve it.
"""

from typing import Final
from uuid import UUID

from django.db.models import Q

from accounts.audit.log import Actor
from config.refusals import Refusal
from games.matches.models import Seat
from games.matches.selectors.secrecy import RUNNING, plays_with_same_cards
from games.operations.models import PlayerReport

OWN_MATCH: Final = "You play in this match, or in one with the same cards."


class OwnMatter(Refusal, status=403):
    """This concerns yourself. Another member of staff has to decide it."""


def plays(match_id: UUID, user_id: UUID) -> bool:
    return plays_with_same_cards(match_id, user_id)


def check_match(match_id: UUID, by: Actor) -> None:
    """Raises ``OwnMatter``."""
    if plays(match_id, by.id):
        raise OwnMatter(OWN_MATCH)


def check_person(user_id: UUID, by: Actor) -> None:
    """Raises ``OwnMatter``."""
    if user_id == by.id:
        raise OwnMatter("Nobody does this to their own account.")
    if any(plays(match_id, by.id) for match_id in _running_matches_of(user_id)):
        raise OwnMatter("You play a match with this person, or one with the same cards.")


def check_report(report: PlayerReport, user_id: UUID | None) -> None:
    """Raises ``OwnMatter``."""
    if user_id in (report.reporter_id, report.reported_id):
        raise OwnMatter("You wrote this report, or it is about you.")


def _running_matches_of(user_id: UUID) -> list[UUID]:
    holds = Q(user=user_id) | Q(invited=user_id)
    running = Seat.objects.filter(holds, match__status__in=RUNNING)
    return list(running.values_list("match_id", flat=True).distinct())
