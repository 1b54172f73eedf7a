"""Lists of matches and of the rounds of one match."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from accounts.social.selectors import blocked_by
from config.offers import offered
from games.matches.models import Match, Notice, Round, Seat
from games.matches.selectors.rounds import rounds_of_match
from games.matches.snapshot import MatchSnapshot

NOTICES_SHOWN = 20


def find_matches(
    *, user: UUID | None, mine: bool = False, joinable: bool = False
) -> QuerySet[Match]:
    """The matches a user may find, newest first: the own ones, public ones and invitations.

    What is ``joinable`` was not opened by an account that the user has blocked.
    """
    own = Exists(Seat.objects.filter(match=OuterRef("pk"), user=user))
    invited = Exists(Seat.objects.filter(match=OuterRef("pk"), invited=user, declined=""))
    matches = Match.objects.defer("state", "loaded").prefetch_related("seats").order_by("-id")
    if mine:
        return matches.filter(own | invited | Q(creator=user)) if user else matches.none()
    visible = Q(visibility=Match.Visibility.PUBLIC)
    if user:
        visible |= Q(own) | Q(invited) | Q(creator=user)
    if not joinable:
        return matches.filter(visible)
    seats = Seat.objects.filter(match=OuterRef("pk"), kind="open", invited=None)
    friends = [f for friends in offered("friends_of") for f in friends(user)] if user else []
    seats = seats.filter(Q(for_friends=False) | Q(match__creator__in=friends))
    free = Exists(seats.filter(~Exists(_kept_for_another(user))))
    open_to = Q(free) | Q(invited) if user else Q(free)
    if user:
        matches = matches.exclude(creator__in=blocked_by(user))
    return matches.filter(visible, open_to, status=Match.Status.OPEN)


def invitations_of(user: UUID) -> QuerySet[Match]:
    """The open matches that the user is invited to, newest first; not those of blocked accounts."""
    matches = Match.objects.defer("state", "loaded").prefetch_related("seats", "creator")
    invited = Exists(Seat.objects.filter(match=OuterRef("pk"), invited=user, declined=""))
    return (
        matches.filter(invited, status=Match.Status.OPEN)
        .exclude(creator__in=blocked_by(user))
        .order_by("-id")
    )


def _kept_for_another(user: UUID | None) -> QuerySet[Seat]:
    """Others on the same seat of a running match with the same cards (``secrecy.may_sit``)."""
    loaded_from = OuterRef("match__parent")
    relatives = Q(match=loaded_from) | Q(match__parent=loaded_from)
    held = Seat.objects.annotate(holder=Coalesce("user", "invited")).filter(
        relatives, index=OuterRef("index"), match__status__in=["open", "active"]
    )
    return held.exclude(match=OuterRef("match")).exclude(Q(holder=None) | Q(holder=user))


def rounds_of(match: MatchSnapshot) -> list[Round]:
    """The saved points, newest first, without their states."""
    standing = [r for r in rounds_of_match(match, with_cards=False) if r.undone_at is None]
    return sorted(standing, key=lambda one: one.number, reverse=True)


def notices_of(match: MatchSnapshot) -> QuerySet[Notice]:
    """The notices of operators to the players, newest first."""
    return Notice.objects.filter(match_id=match.id).order_by("-id")[:NOTICES_SHOWN]


def closed_scores(match: MatchSnapshot) -> Sequence[Any]:
    """The scores of the finished rounds in order, one number a side each."""
    return [one.scores for one in rounds_of(match)[::-1] if one.scores is not None]


def scores_at(match: MatchSnapshot) -> list[list[int]]:
    """The same of the rounds that were over at the match's version."""
    rounds = [one for one in rounds_of(match)[::-1] if is_closed(one, match)]
    return [one.scores for one in rounds if one.scores is not None]


def is_closed(round_: Round, match: MatchSnapshot) -> bool:
    """Whether it was over at the match's version, which may be an earlier one than is stored."""
    return match.is_over or round_.number < match.round
