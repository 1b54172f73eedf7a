"""Whether a match is rated: by its players, and by whether its rules lead to an end.

It is settled again with each seat that is taken before the match begins.

Whether rules lead to an end is tried by a worker (``games.simulations.house_rules``). While nothing
is known of some options a match with them is rated, until ``end_unfit`` finds out.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import lru_cache
from typing import Final
from uuid import UUID
from zlib import crc32

from django.db import DatabaseError
from django.db.models import Count, Q
from django.utils import timezone

from accounts.models import User
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.text import Words, say
from cardroom.rules.values import Options
from config.tasks import after_commit
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.matches.announcements import announce
from games.matches.models import Match, Seat
from games.matches.refusals import CannotBeRated
from games.matches.selectors.access import get_match
from games.matches.snapshot import MatchSnapshot, SeatSnapshot
from games.simulations import house_rules

# The first move of each person: without it in time a match is called off and not rated.
#
# So nobody wins or loses anything by a match to which somebody does not come. It holds where
# several accounts play against a clock; a person alone against computers loses by time as ever,
# unless a tournament opened the match. The time for it is the limit for a move, or a minute of a
# bank (``time_bank.FIRST_MOVE``). That a match was called off for it stands in the seats that
# were too late: they are ``timed_out``, and still ``awaited``.
#
# As one could wait for better cards like this, a person who stays away again and again is not
# rated for a day and not paired.

STAYED_AWAY: Final = 3  # matches of a day
LATELY: Final = timedelta(days=1)


def await_first_moves(row: Match, seats: Sequence[Seat]) -> None:
    """Of a match that begins now, as it is to be written."""
    if not has_limit(row) or row.parent_id or row.on_timeout != Match.OnTimeout.RESIGN:
        return
    people = [seat for seat in seats if seat.kind == Seat.Kind.USER]
    if len(people) > 1 or is_arranged(row, seats):
        for seat in people:
            seat.awaited = True


def has_limit(row: Match) -> bool:
    return row.turn_seconds is not None or row.clock is not None


def is_arranged(match: Match | MatchSnapshot, seats: Sequence[Seat | SeatSnapshot]) -> bool:
    """Whether its host has no seat, as in the matches of tournaments."""
    return all(seat.user_id != match.creator_id for seat in seats)


def is_to_come(match: MatchSnapshot, user: UUID | None) -> bool:
    """Whether it matters that this person looks at the match: a tournament awaits their move."""
    if user is None or match.status != "active" or not match.awaited:
        return False
    awaited = any(match.seats[seat].user_id == user for seat in match.awaited)
    return awaited and is_arranged(match, match.seats)


def note_came(match: MatchSnapshot, user: UUID | None) -> None:
    """Notes that a person looked at a match of a tournament, also while it is not their turn."""
    if is_to_come(match, user):
        with suppress(DatabaseError):  # it answers a reader, who may look again
            _note_once(match.id, user)


@lru_cache(maxsize=4096)
def _note_once(match_id: UUID, user: UUID | None) -> None:
    Seat.objects.filter(match=match_id, user=user, awaited=True, came=False).update(came=True)


def who_stays_away(people: Collection[UUID]) -> list[UUID]:
    """The people of these for whose missing first move several matches were called off lately."""
    missed = Seat.objects.filter(
        user__in=people,
        awaited=True,
        timed_out=True,
        match__status=Match.Status.ABORTED,
        match__finished_at__gte=timezone.now() - LATELY,
    )
    counts = missed.order_by().values("user").annotate(count=Count("id"))
    return list(counts.filter(count__gte=STAYED_AWAY).values_list("user", flat=True))


def is_rated(
    game: AnyGame, options: Options, seats: Sequence[Seat | SeatSnapshot], *, on_timeout: str
) -> bool:
    return obstacle(game, options, seats, on_timeout=on_timeout) is None


def settle(row: Match, seats: Sequence[Seat]) -> None:
    """Whether a match of these seats is rated: what it says when it begins is for good.

    Raises CannotBeRated where its host wants that it is.
    """
    if row.rated_wish is False or row.parent_id is not None:
        row.rated = False
        return
    options = row.rules.decode_options(bytes(row.options))
    why = obstacle(row.rules, options, seats, on_timeout=row.on_timeout) or _absence(row, seats)
    if why is not None and row.rated_wish:
        raise CannotBeRated(why)
    row.rated = why is None


def obstacle(
    game: AnyGame, options: Options, seats: Sequence[Seat | SeatSnapshot], *, on_timeout: str
) -> Words | None:
    """The reason why a match of these terms is not rated; an open seat is a person's."""
    if game.is_luck:
        return say("{game} is luck alone, so nobody is rated by it.", game=game.name)
    if on_timeout != Match.OnTimeout.RESIGN:  # a player who is behind would wait
        return say("In a rated match a player whose time is up loses.")
    bots = [game.bot(seat.bot) for seat in seats if seat.bot]
    if cheater := next((bot for bot in bots if not bot.rated), None):
        return say("Nobody is rated against {bot}.", bot=cheater.name)
    people = [seat for seat in seats if not seat.bot]
    if any(seat.kind == Seat.Kind.LOCAL for seat in people):
        return say("Players at one device are not rated.")
    guests, programs = _kinds(people)
    if (bots or programs) and len(people) - programs > 1:
        return say("People are rated among themselves, or one person against computers.")
    if guests:
        return say("Guests are not rated. Sign up to play rated matches.")
    if _never_ends(game, options):
        return say("As so many never end, matches by these rules are not rated.")
    return None


def _absence(row: Match, seats: Sequence[Seat]) -> Words | None:
    people = {person for seat in seats if (person := seat.user_id or seat.invited_id)}
    if len(people) < 2 or not has_limit(row) or not who_stays_away(people):
        return None
    return say("Somebody here stayed away from too many matches to be rated today.")


def _kinds(seats: Sequence[Seat | SeatSnapshot]) -> tuple[int, int]:
    """The numbers of guests and of bot accounts that sit there, or are invited."""
    ids = {person for seat in seats if (person := seat.user_id or seat.invited_id)}
    rows = User.objects.filter(Q(is_guest=True) | Q(is_bot=True), pk__in=ids) if ids else ()
    kinds = [row.is_bot for row in rows]
    return kinds.count(False), kinds.count(True)


def confirm(match: MatchSnapshot) -> MatchSnapshot:
    """The new match as written, unrated if its rules were found unfit before it was there."""
    if not match.rated or not _never_ends(match.rules, match.options):
        return match
    _unrate(match)
    return get_match(match.id)


Kind = tuple[str, bytes | memoryview, str]


def end_unfit() -> None:
    """Matches by rules that turned out not to end are rated no more, except those that are over.

    The beat asks for it: a worker that tries rules knows no matches, and what it has learnt is kept
    for everybody.
    """
    slugs = [game.slug for game in catalog.GAMES if game.limit_option is not None]
    for status in (Match.Status.OPEN, Match.Status.ACTIVE):  # each has an index of its own
        running = Match.objects.filter(status=status, game__in=slugs, rated=True)
        kinds = list(running.values_list("game", "options", "status").distinct())
        each("unfit ratings", kinds, _end_unfit, key=_name)


def _end_unfit(kind: Kind) -> None:
    slug, options, status = kind
    game = catalog.find(slug)
    if _never_ends(game, game.decode_options(bytes(options))):
        running = Match.objects.filter(status=status, game=slug, rated=True, options=options)
        unfit = list(running.values_list("id", flat=True))
        each("unfit ratings", unfit, lambda match_id: _unrate(get_match(match_id)))


def _name(kind: Kind) -> str:
    return f"{kind[0]} {crc32(kind[1]):08x} {kind[2]}"


def _never_ends(game: AnyGame, options: Options) -> bool:
    if options == game.options() or options in game.presets.values():
        return False  # a test tries these
    return house_rules.may_be_rated(game, options) is False


def _unrate(match: MatchSnapshot) -> None:
    rated = Match.objects.filter(id=match.id, rated=True)
    if rated.update(rated=False, updated_at=timezone.now()):
        after_commit.when_committed(lambda: announce(match))


UNFIT: Final = Duty(name="unfit ratings", piece=end_unfit, every=20)
