"""Lists of matches and of the rounds of one match."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from accounts.social.selectors import blocked_by, blocked_either_way
from config.offers import offered
from config.postgres.literals import literal
from games.matches.models import Match, Notice, Round, Seat
from games.matches.selectors.newest import not_kept_from_its_host, open_with
from games.matches.selectors.rounds import rounds_of_match
from games.matches.snapshot import MatchSnapshot

NOTICES_SHOWN = 20


def find_matches(
    *, user: UUID | None, mine: bool = False, joinable: bool = False
) -> QuerySet[Match]:
    """The matches a user may find, newest first: the own ones, public ones and invitations.

    At what is ``joinable`` nobody sits whom the user has blocked, or who has blocked the user.
    """
    own = Exists(Seat.objects.filter(match=OuterRef("pk"), user=user))
    invited = Exists(Seat.objects.filter(match=OuterRef("pk"), invited=user, declined=""))
    matches = Match.objects.defer("state", "loaded").prefetch_related("seats").order_by("-id")
    if mine:
        return matches.filter(own | invited | _opened_by(user)) if user else matches.none()
    visible = Q(visibility=Match.Visibility.PUBLIC)
    if user:
        seated = Q(id__in=open_with(user)) if joinable else Q(own)
        visible |= seated | Q(invited) | _opened_by(user)
    if not joinable:
        return matches.filter(visible)
    seats = Seat.objects.filter(match=OuterRef("pk"), kind=literal("open"), invited=None)
    open_to = _is_free(seats.filter(for_friends=False), user)
    if user:
        matches = without_blocked(matches, user)
        friends = [friend for friends in offered("friends_of") for friend in friends(user)]
        open_to |= Q(invited) | (Q(creator__in=friends) & _is_free(seats, user))
    return matches.filter(visible, open_to, status=literal(Match.Status.OPEN))


def _opened_by(user: UUID) -> Q:
    return Q(creator=user) & not_kept_from_its_host()


def without_blocked(matches: QuerySet[Match], user: UUID) -> QuerySet[Match]:
    """Those at which nobody has blocked the user or is blocked, the hosts included."""
    people = blocked_either_way(user)
    if not people:
        return matches
    beside = Exists(Seat.objects.filter(match=OuterRef("pk"), user__in=people))
    return matches.exclude(creator__in=people).exclude(beside)


def _is_free(seats: QuerySet[Seat], user: UUID | None) -> Q:
    """Whether a match has one of these seats free; only a loaded match has relatives."""
    unkept = seats.filter(~Exists(_kept_for_another(user)))
    return Q(Exists(seats), parent=None) | Q(Exists(unkept), parent__isnull=False)


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
    """Others on the same seat of a running match with the same cards (``secrecy.may_sit``).

    To be asked of a seat that is asked of its match.
    """
    loaded_from = OuterRef(OuterRef(OuterRef("parent")))
    relatives = Match.objects.filter(Q(id=loaded_from) | Q(parent=loaded_from))
    held = Seat.objects.annotate(holder=Coalesce("user", "invited")).filter(
        match__in=relatives.filter(status__in=["open", "active"]), index=OuterRef("index")
    )
    return held.exclude(match=OuterRef("match")).exclude(Q(holder=None) | Q(holder=user))


def rounds_of(match: MatchSnapshot) -> list[Round]:
    """The saved points, newest first, without their states."""
    standing = [r for r in rounds_of_match(match, with_cards=False) if r.undone_at is None]
    return sorted(standing, key=lambda one: one.number, reverse=True)


def notices_of(match: MatchSnapshot) -> QuerySet[Notice]:
    """The notices of operators to the players, newest first.

    They may name a person, so a reader who does not get all names gets none of them.
    """
    if match.withholds:
        return Notice.objects.none()
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
