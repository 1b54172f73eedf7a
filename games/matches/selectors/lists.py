"""Lists of matches and of the rounds of one match."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from accounts.social.selectors import blocked_by, blocked_either_way
from config.offers import offered
from config.postgres.arrays import literal
from config.postgres.replicas import list_connection
from config.postgres.together import once, rows_of
from games.matches.models import Match, Notice, Round, Seat
from games.matches.selectors.lineage import rounds_of_match
from games.matches.snapshot import MatchSnapshot

# The newest matches that somebody may find, however many there are.
#
# Each way to a match is asked for its own newest few by its own index; what they have together is
# the list. One condition for all ways would read every match of the person, or of everybody.

NOT_OVER: Final = frozenset({Match.Status.OPEN, Match.Status.ACTIVE})


class Sought(msgspec.Struct, frozen=True):
    """Conditions of a list of matches: of a game, of some statuses, opened before a match."""

    game: str | None = None
    statuses: Collection[str] = ()
    before: UUID | None = None

    def terms(self, to: str = "") -> Q:
        """Of a match, or of what leads to it by the name ``to``."""
        terms = Q()
        if self.game:
            terms &= Q((f"{to}game", self.game))
        if self.statuses:
            terms &= Q((f"{to}status__in", [literal(each) for each in sorted(self.statuses)]))
        if self.before:
            terms &= Q((f"{to}id__lt", self.before))
        return terms

    @property
    def is_not_over(self) -> bool:
        return bool(self.statuses) and NOT_OVER.issuperset(self.statuses)


def newest_of(user: UUID, sought: Sought, *, most: int) -> QuerySet[Match]:
    """Matches in which the user sits, to which they are invited, and which they opened."""
    return _listed(_own(user, sought, most), most)


def newest_seated(user: UUID, sought: Sought, *, most: int) -> QuerySet[Match]:
    """Matches in which the user sits."""
    return _listed([_seated(user, sought, most)], most)


def newest_for(user: UUID | None, sought: Sought, *, most: int) -> QuerySet[Match]:
    """The public ones, and those of the user."""
    public = Match.objects.filter(sought.terms(), visibility=literal(Match.Visibility.PUBLIC))
    own = _own(user, sought, most) if user is not None else ()
    return _listed([public.order_by("-id").values("id")[:most], *own], most)


def unfinished_seats(user: UUID) -> dict[UUID, set[int]]:
    """The seats of the user without a place, by match: of all that are not over, and few others.

    They are asked for alone, by an index that has no others: in a join Postgres takes them for few
    and reads every running match.
    """
    own: defaultdict[UUID, set[int]] = defaultdict(set)
    seats = Seat.objects.filter(user=user, place=None).order_by()
    for match, index in seats.values_list("match_id", "index"):
        own[match].add(index)
    return own


_OWN_UNFINISHED: Final = """
WITH own AS MATERIALIZED (
    SELECT match_id, index, false AS invited FROM games_seat
    WHERE user_id = %(user)s AND place IS NULL
    UNION ALL
    SELECT match_id, index, true FROM games_seat
    WHERE invited_id = %(user)s AND kind = 'open' AND declined = ''
), found AS MATERIALIZED (
    SELECT match_id AS id FROM own
    UNION
    SELECT id FROM games_match
    WHERE creator_id = %(user)s AND status IN ('open', 'active')
        AND (deal_id IS NULL OR status = 'open' OR visibility <> 'private')
)
SELECT m.id, m.status, m.creator_id, m.updated_at, m.answer_by IS NOT NULL,
    CASE WHEN m.status = 'open' THEN (
        SELECT string_agg(concat(s.kind, s.user_id, s.invited_id), ' ' ORDER BY s.index)
        FROM games_seat s WHERE s.match_id = m.id
    ) END,
    coalesce(bool_or(own.index = ANY (m.to_act) AND NOT own.invited), false),
    coalesce(bool_or(NOT own.invited), false), coalesce(bool_or(own.invited), false)
FROM found JOIN games_match m ON m.id = found.id LEFT JOIN own ON own.match_id = m.id
WHERE m.status IN ('open', 'active') GROUP BY m.id ORDER BY m.id DESC
"""


class OwnMatch(NamedTuple):
    """A match that is not over and that concerns a person: by a seat, an invitation, as its host.

    ``has_answer``: it waits for one person's answer, as a challenge does.
    """

    id: UUID
    status: str
    creator: UUID
    updated_at: datetime
    has_answer: bool
    taken: str | None  # who sits and who is awaited, where it is open: tells a change
    waits: bool  # for a move of this person
    is_seated: bool
    is_invited: bool


def own_unfinished(user: UUID) -> list[OwnMatch]:
    """The newest first. By the indexes of a person's seats, however many matches run."""
    with list_connection().cursor() as cursor:
        cursor.execute(_OWN_UNFINISHED, {"user": user})
        return [OwnMatch(*row) for row in cursor.fetchall()]


def open_with(user: UUID) -> list[UUID]:
    """The open matches in which the user sits."""
    waiting = Match.objects.filter(id__in=list(unfinished_seats(user)))
    return list(waiting.filter(status=literal(Match.Status.OPEN)).values_list("id", flat=True))


def _own(user: UUID, sought: Sought, most: int) -> Iterator[QuerySet[Any, Any]]:
    yield _seated(user, sought, most)
    invited = Seat.objects.filter(sought.terms("match__"), invited=user, declined="")
    yield _matches_of(invited.filter(kind=literal(Seat.Kind.OPEN)), most)
    yield _opened(user, sought, most)


def not_kept_from_its_host() -> Q:
    """The table of others that is mirrored with the host's own says nothing to the host.

    Where the host has a seat, that is the way to it. A match loaded from one has no such deal.
    """
    return Q(deal=None) | Q(status=literal(Match.Status.OPEN)) | ~Q(visibility=literal("private"))


def _opened(user: UUID, sought: Sought, most: int) -> QuerySet[Any, Any]:
    opened = Match.objects.filter(sought.terms(), not_kept_from_its_host(), creator=user)
    return opened.order_by("-id").values("id")[:most]


def _seated(user: UUID, sought: Sought, most: int) -> QuerySet[Any, Any]:
    if sought.is_not_over:
        running = Match.objects.filter(sought.terms(), id__in=list(unfinished_seats(user)))
        return running.order_by("-id").values("id")[:most]
    return _matches_of(Seat.objects.filter(sought.terms("match__"), user=user), most)


def _matches_of(seats: QuerySet[Seat], most: int) -> QuerySet[Any, Any]:
    """A match in which somebody holds several seats once."""
    return seats.order_by("-match_id").distinct("match_id").values("match_id")[:most]


def _listed(ways: Collection[Any] | Iterator[Any], most: int) -> QuerySet[Match]:
    first, *others = ways
    matches = Match.objects.defer("state", "loaded").prefetch_related("seats")
    return matches.filter(id__in=first.union(*others) if others else first).order_by("-id")[:most]


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
    """Matches at which nobody has blocked the user or is blocked, the hosts included."""
    people = blocked_either_way(user)
    if not people:
        return matches
    beside = Exists(Seat.objects.filter(match=OuterRef("pk"), user__in=people))
    return matches.exclude(creator__in=people).exclude(beside)


def _is_free(seats: QuerySet[Seat], user: UUID | None) -> Q:
    """Whether a match has one of these seats free; only a loaded match has relatives."""
    unkept = seats.filter(~Exists(_kept_for_another(user)))
    return Q(Exists(seats), parent=None) | Q(Exists(unkept), parent__isnull=False)


def with_a_free_seat() -> QuerySet[Match]:
    """The public tables that wait for somebody: for anybody, or for friends of the host."""
    seats = Seat.objects.filter(match=OuterRef("pk"), kind=literal("open"), invited=None)
    public = Match.objects.filter(visibility=literal(Match.Visibility.PUBLIC))
    return public.filter(_is_free(seats, None), status=literal(Match.Status.OPEN))


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


# The results of a person against computers.

LOOKED_AT: Final = 40


class Result(msgspec.Struct, frozen=True):
    """A finished match of one person against computers of one kind."""

    game: str
    bot: str
    won: bool


def results_against_bots(user: UUID | None, game: str | None = None) -> list[Result]:
    """The results of the last finished matches, newest first."""
    if user is None:
        return []
    rows = rows_of(_finished(user, game))
    results = (_result([*group], user) for _, group in groupby(rows, key=itemgetter(0)))
    return [result for result in results if result is not None]


@once
def _finished(user: UUID, game: str | None) -> QuerySet[Seat, Any]:
    sought = Sought(game=game, statuses=[Match.Status.FINISHED])
    newest = newest_seated(user, sought, most=LOOKED_AT).values("id")
    seats = Seat.objects.filter(match__in=newest).order_by("-match_id")
    return seats.values_list("match_id", "match__game", "kind", "user_id", "bot", "place")


def _result(seats: Sequence[tuple[Any, ...]], user: UUID) -> Result | None:
    """``seats`` are those of a match."""
    own = [place for _, _, _, holder, _, place in seats if holder == user]
    bots = [bot for _, _, kind, _, bot, _ in seats if kind == Seat.Kind.BOT]
    if len(own) != 1 or len({*bots}) != 1 or len(seats) != 1 + len(bots):
        return None
    return Result(seats[0][1], bots[0], own[0] == 1)


def has_played_before(user: UUID, game: str, match: UUID) -> bool:
    """Whether the user sat in a match of this game that was opened before this one."""
    return Seat.objects.filter(user=user, match__game=game, match_id__lt=match).exists()
