"""People to play with: those who are here, acquaintances, filters of the lobby."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple, Self
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

import redis
from django.conf import settings
from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.crypto import salted_hmac
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from accounts.models import User
from accounts.social.models import Block
from cardroom.rules import catalog
from config.offers import offered
from config.valkey import valkey_client
from games.lobby.models import LobbyFilter
from games.matches.models import Match, Seat
from games.matches.seats import friends_of
from games.matches.time_bank import DAY

# How many people are here, and how many watch a match; counted in Valkey, and lost with it.
#
# Only counts are ever read. An account or an address goes there as a keyed hash.

HERE: Final = "here"
LATELY: Final = 3600  # seconds
WATCHED: Final = 8  # seconds since the last sign of a watcher
PAUSE: Final = 5.0  # seconds in which Valkey is not asked after a failure

_not_before = 0.0


def member(who: UUID | str) -> str:
    """A mark that stands for an account or an address."""
    return salted_hmac("games.lobby.finding", str(who)).hexdigest()[:16]


def watchers_key(match: UUID) -> str:
    return f"watchers:{match}"


def watchers_of(matches: Sequence[UUID]) -> dict[UUID, int]:
    """Spectators of each of these matches; nothing is known while Valkey is away."""
    since = time.time() - WATCHED
    counts = _counts([(watchers_key(match), since) for match in matches])
    return dict(zip(matches, counts, strict=False))


def people_lately() -> int | None:
    """The number of people and visitors with a page or a stream open in the last hour."""
    return next(iter(_counts([(HERE, time.time() - LATELY)])), None)


def _counts(keys: Sequence[tuple[str, float]]) -> list[int]:
    global _not_before  # noqa: PLW0603 - of the process
    if not keys or time.monotonic() < _not_before:
        return []
    pipe: Any = _client(settings.VALKEY_URL).pipeline(transaction=False)
    for key, since in keys:
        pipe.zcount(key, since, "+inf")
    try:
        return list(pipe.execute())
    except (RedisError, OSError):
        _not_before = time.monotonic() + PAUSE
        return []


@lru_cache(maxsize=1)
def _client(url: str) -> "redis.Redis":
    return valkey_client(
        url, socket_timeout=0.25, socket_connect_timeout=0.25, retry=Retry(NoBackoff(), 1)
    )


# Which tables somebody looks for in the lobby, and where that is remembered.
#
# An account's choice is a row; a visitor's is text that the browser keeps. Whatever is odd in
# either is no filter.

PACES: Final = {
    "live": Q(turn_seconds__lt=DAY) | Q(clock__isnull=False),
    "slow": Q(turn_seconds__gte=DAY),
    "none": Q(turn_seconds=None, clock=None),
}
RATED: Final = {"yes": Q(rated=True), "no": Q(rated=False)}
KEPT_SECONDS: Final = 3600
_REMEMBERED: Final = "lobby-filter:{}"


@dataclass(frozen=True)
class TableFilter:
    """Empty: every game, any pace, rated or not."""

    game: str = ""
    pace: str = ""
    rated: str = ""

    @classmethod
    def of(cls, sent: Mapping[str, str]) -> Self:
        game, pace, rated = (sent.get(name, "") for name in ("game", "pace", "rated"))
        return cls(
            game if game in {each.slug for each in catalog.GAMES} else "",
            pace if pace in PACES else "",
            rated if rated in RATED else "",
        )

    @classmethod
    def read(cls, text: str) -> Self:
        return cls.of(dict(parse_qsl(text[:200])))

    @property
    def text(self) -> str:
        return urlencode({name: value for name, value in asdict(self).items() if value})

    def applied(self, matches: QuerySet[Match]) -> QuerySet[Match]:
        conditions = Q(game=self.game) if self.game else Q()
        if self.pace:
            conditions &= PACES[self.pace]
        if self.rated:
            conditions &= RATED[self.rated]
        return matches.filter(conditions)


def remembered(account: UUID) -> TableFilter:
    text = cache.get(_REMEMBERED.format(account))
    if text is None:
        row = LobbyFilter.objects.filter(account=account).first()
        text = row.chosen if row else ""
        cache.set(_REMEMBERED.format(account), text, KEPT_SECONDS)
    return TableFilter.read(text)


def remember(account: UUID, chosen: TableFilter) -> None:
    LobbyFilter.objects.update_or_create(account_id=account, defaults={"chosen": chosen.text})
    cache.set(_REMEMBERED.format(account), chosen.text, KEPT_SECONDS)


# People whom somebody may want to invite: friends first, then those they have played with.
#
# Nobody else is ever named, so that completing a name tells nobody whether an account exists.
# Apps that know friends, and people who hide, declare ``friends_of`` and ``hidden_from`` on their
# ``AppConfig`` (``config.offers``).

SHOWN: Final = 8
MATCHES_LOOKED_AT: Final = 200  # the newest of the player who searches


class Acquaintance(NamedTuple):
    username: str
    name: str
    is_friend: bool


def acquaintances(account: UUID, beginning: str) -> list[Acquaintance]:
    """Accounts whose username or shown name begins so."""
    friends = friends_of(account)
    known = friends | _played_with(account)
    blocks = Block.objects.filter(
        Q(owner=account, blocked=OuterRef("pk")) | Q(owner=OuterRef("pk"), blocked=account)
    )
    named = Q(username__istartswith=beginning) | Q(display_name__istartswith=beginning)
    people = User.objects.filter(named, ~Exists(blocks), pk__in=known, is_active=True)
    rows = people.exclude(pk=account).order_by("username")[:MATCHES_LOOKED_AT]
    hidden = _hidden_from(account, {row.pk for row in rows}) - friends
    shown = [
        Acquaintance(row.username, row.display_name, row.pk in friends)
        for row in rows
        if row.pk not in hidden
    ]
    return sorted(shown, key=lambda one: not one.is_friend)[:SHOWN]


def _played_with(account: UUID) -> set[UUID]:
    mine = Seat.objects.filter(user=account, match__started_at__isnull=False)
    newest = list(mine.order_by("-match_id").values_list("match_id", flat=True)[:MATCHES_LOOKED_AT])
    others = Seat.objects.filter(match__in=newest, kind=Seat.Kind.USER).exclude(user=account)
    return set(others.order_by().values_list("user_id", flat=True).distinct())


def _hidden_from(account: UUID, among: set[UUID]) -> set[UUID]:
    return {one for hidden in offered("hidden_from") for one in hidden(account, among)}


# How strong people are, as far as pairing and the lobby need to know.
#
# An app that rates people declares ``people_ratings`` on its ``AppConfig`` (``config.offers``).

NEUTRAL: Final = 1500.0


def ratings_for(game: str, accounts: Collection[UUID]) -> Mapping[UUID, float]:
    """Each account's rating in a game; those of whom none is known are equal."""
    return dict.fromkeys(accounts, NEUTRAL) | known_ratings(game, accounts)


def known_ratings(game: str, accounts: Collection[UUID]) -> dict[UUID, float]:
    """The ratings in a game of those who have one."""
    known: dict[UUID, float] = {}
    for ratings in offered("people_ratings"):
        known |= ratings(game, accounts)
    return known
