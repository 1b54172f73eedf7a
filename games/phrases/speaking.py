"""Phrases at a table: the sentences, who may speak, what was spoken."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Final, NamedTuple
from uuid import UUID

import redis
from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.locking import locked_accounts, refusal_of
from accounts.models import User
from accounts.social.models import Block
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.text import Phrase, Words, say
from config.refusals import NotAllowed, NotFound, Refusal
from config.tasks import after_commit
from config.tasks.duties import Duty
from games.matches.models import Seat
from games.matches.refusals import NoSuchMatch
from games.matches.selectors.access import Caller, find_match
from games.matches.snapshot import MatchSnapshot
from games.phrases.models import Mute, Saying, Silence

# Every read of a phrase: a reader gets nothing of those whom they muted or blocked.

FRESH: Final = timedelta(seconds=6)  # a bubble is shown for four
MINUTE: Final = timedelta(minutes=1)
MOST: Final = 100


class Wanted(NamedTuple):
    """Phrases of a match after this id, for a reader; a spectator may have no account."""

    match: UUID
    reader: UUID | None
    after: int


def phrases_since(wanted: Sequence[Wanted], since: datetime | None = None) -> list[list[Saying]]:
    """The answers to all, the oldest first; without ``since`` what a bubble still shows."""
    since = since or timezone.now() - FRESH
    ids = {one.match for one in wanted}
    rows = list(Saying.objects.filter(match__in=ids, at__gte=since).order_by("id")[:MOST])
    if not rows:
        return [[] for _ in wanted]
    hidden = hidden_from({one.reader for one in wanted if one.reader}, rows)
    players = _players_where_others_see_later(ids)
    return [
        [row for row in rows if _is_shown(row, one, hidden)]
        if one.reader in players.get(one.match, {one.reader})
        else []
        for one in wanted
    ]


def _players_where_others_see_later(match_ids: Collection[UUID]) -> dict[UUID, set[UUID | None]]:
    """By match that runs and is watched with a delay: a phrase would give away what happened."""
    seats = Seat.objects.filter(
        match__in=match_ids, match__status="active", match__watch_delay__gt=0, user__isnull=False
    )
    players: dict[UUID, set[UUID | None]] = {}
    for match, user in seats.values_list("match_id", "user_id"):
        players.setdefault(match, set()).add(user)
    return players


def _is_shown(row: Saying, one: Wanted, hidden: dict[UUID | None, set[UUID | None]]) -> bool:
    if row.match_id != one.match or row.id <= one.after:
        return False
    own = hidden.get(one.reader, set())
    return row.account_id == one.reader or not own & {None, row.account_id}


def hidden_from(
    readers: Collection[UUID], rows: Sequence[Saying]
) -> dict[UUID | None, set[UUID | None]]:
    """For each reader the accounts whose phrases they do not read; None is everybody."""
    hidden: dict[UUID | None, set[UUID | None]] = {}
    if not readers:
        return hidden
    speakers = {row.account_id for row in rows}
    muted = Mute.objects.filter(Q(muted__in=speakers) | Q(muted=None), owner__in=readers)
    blocked = Block.objects.filter(owner__in=readers, blocked__in=speakers)
    for owner, other in (
        *muted.values_list("owner_id", "muted_id"),
        *blocked.values_list("owner_id", "blocked_id"),
    ):
        hidden.setdefault(owner, set()).add(other)
    return hidden


def matches_with_sayings() -> set[UUID]:
    """Matches with a phrase of a moment ago: for listeners that missed the announcement."""
    rows = Saying.objects.filter(at__gte=timezone.now() - FRESH)
    return set(rows.order_by().values_list("match_id", flat=True))


def last_minute_of(match_id: UUID) -> list[Saying]:
    """All that was said in the last minute, the same for every reader: evidence of a report."""
    rows = Saying.objects.filter(match=match_id, at__gte=timezone.now() - MINUTE)
    return list(rows.order_by("-id")[:MOST])[::-1]


def silence_of(account: UUID) -> Silence | None:
    return silences_of(account).first()


def silences_of(account: UUID) -> QuerySet[Silence]:
    """Those that hold, the newest first."""
    running = Q(until=None) | Q(until__gt=timezone.now())
    return Silence.objects.filter(running, account=account, lifted_at=None)


def may_speak(match: MatchSnapshot, account: UUID | None) -> bool:
    """Whether the account holds one seat, and another person sits at the table.

    People at one device talk to each other without our help.
    """
    if not settings.CLUB["phrases"]:
        return False
    people = {seat.user_id for seat in match.seats if seat.kind == Seat.Kind.USER}
    return len(match.seats_of(account)) == 1 and len(people - {account}) > 0


def mutes_of(owner: UUID, among: Collection[UUID]) -> tuple[bool, set[UUID]]:
    """Whether the owner reads nobody, and whom of these not."""
    rows = Mute.objects.filter(Q(muted=None) | Q(muted__in=among), owner=owner)
    muted = set(rows.values_list("muted_id", flat=True))
    return None in muted, {account for account in muted if account is not None}


def recent_phrases(match_id: UUID, reader: UUID | None) -> list[Saying]:
    """Phrases of the last minute, as far as the reader reads them."""
    return phrases_since([Wanted(match_id, reader, 0)], timezone.now() - MINUTE)[0]


# The sentences and signs that people choose from; a game adds its own (``Game.phrases``).
#
# The slugs are stored and sent, so they stay.

SENTENCES: Final[Mapping[str, Phrase]] = {
    "hello": say("Hello!"),
    "good_luck": say("Good luck!"),
    "have_fun": say("Have fun!"),
    "thank_you": say("Thank you!"),
    "one_moment": say("One moment, please."),
    "here_again": say("I am here again."),
    "let_me_think": say("Let me think."),
    "take_your_time": say("Take your time."),
    "faster": say("Shall we play faster?"),
    "nice_move": say("Nice move!"),
    "well_played": say("Well played!"),
    "lucky": say("That was lucky!"),
    "bad_luck": say("Bad luck!"),
    "oops": say("Oops!"),
    "not_seen": say("I did not see that coming."),
    "close": say("That was close!"),
    "not_over": say("It is not over yet."),
    "good_game": say("Good game!"),
    "once_more": say("Once more?"),
    "goodbye": say("Goodbye!"),
}


class Sign(NamedTuple):
    """A picture, and what it is called where it cannot be seen."""

    picture: str
    name: Phrase


SIGNS: Final[Mapping[str, Sign]] = {
    "thumbs_up": Sign("👍", say("Thumbs up")),
    "applause": Sign("👏", say("Applause")),
    "smile": Sign("🙂", say("A smile")),
    "astonished": Sign("😮", say("Astonished")),
    "tears": Sign("😢", say("Tears")),
    "coffee": Sign("☕", say("A cup of coffee")),
}


class Offered(NamedTuple):
    """A sentence or a sign that may be said: ``picture`` is empty for a sentence."""

    slug: str
    words: Words
    picture: str


def offered_at(game: AnyGame) -> list[Offered]:
    """The phrases at a table of the game, except those that operators took off."""
    return [one for one in _every(game) if one.slug not in settings.CLUB["phrases_off"]]


@cache
def _every(game: AnyGame) -> list[Offered]:
    """The game's own sentences first, signs last."""
    sentences = {**game.phrases, **SENTENCES}
    signs = [Offered(slug, sign.name, sign.picture) for slug, sign in SIGNS.items()]
    return [*(Offered(slug, words, "") for slug, words in sentences.items()), *signs]


def find(game: AnyGame, slug: str) -> Offered | None:
    """Also one that may not be said any more."""
    return next((one for one in _every(game) if one.slug == slug), None)


def slugs() -> list[str]:
    return list(dict.fromkeys(one.slug for game in catalog.GAMES for one in _every(game)))


# Announces that somebody said something at a match: no more than the match travels.

CHANNEL: Final = "phrases"


@dataclass(frozen=True)
class SomethingSaid:
    match_id: UUID

    def send(self, broker: "redis.Redis") -> None:
        self.send_all([self], broker)

    @classmethod
    def send_all(cls, several: Sequence["SomethingSaid"], broker: "redis.Redis") -> None:
        matches = dict.fromkeys(str(one.match_id) for one in several)
        broker.publish(CHANNEL, "\n".join(matches))


def announce_saying(match_id: UUID) -> None:
    after_commit.announce(SomethingSaid(match_id))


def matches_in(message: bytes) -> Iterator[UUID]:
    """The matches of a message."""
    return map(UUID, message.decode().splitlines())


# Why nothing is said.


class NoSuchPhrase(Refusal, status=422):
    """Choose one of the phrases that this game offers."""


class NobodyListens(Refusal, status=409):
    """Nobody else sits at this table who could read it."""


class TableIsLeft(Refusal, status=409):
    """This match has been over for a while."""


class TooManyPhrases(Refusal, status=429, members={"limit": int}):
    """You have said enough for a minute."""


class Silenced(Refusal, status=403, members={"until": datetime | None}):
    """An operator has muted you."""


class NobodyToMute(NotFound):
    """Nobody sits there whom you could mute."""


SHOWN: Final = timedelta(seconds=4)  # the same again while it is shown is the same
AFTERWARDS: Final = timedelta(minutes=10)
KEPT: Final = timedelta(days=1)


class AlreadySilenced(Refusal, status=409):
    """This person is silenced already."""


def speak(*, match_id: UUID, user: User, phrase: str) -> Saying:
    """Says a phrase at the user's seat. The same once more within four seconds is one saying."""
    match = visible(match_id, user.pk)
    _judge(match, user, phrase)
    with locked_accounts(user.pk) as active:
        if user.pk not in active:
            raise refusal_of(user.pk)
        now = timezone.now()
        lately = list(Saying.objects.filter(account=user, at__gt=now - MINUTE).order_by("-id"))
        for row in lately:
            if (row.match_id, row.phrase) == (match_id, phrase) and row.at > now - SHOWN:
                return row
        if len(lately) >= (most := settings.LIMITS["phrases"]):
            raise TooManyPhrases(limit=most)
        seat = match.seats_of(user.pk)[0]
        row = Saying.objects.create(
            match_id=match_id, seat=seat, account=user, phrase=phrase, at=now
        )
        after_commit.when_committed(lambda: announce_saying(match_id))
    return row


def visible(match_id: UUID, user: UUID | None) -> MatchSnapshot:
    """Raises NoSuchMatch."""
    access = find_match(match_id, Caller(user=user))
    if access is None or not access.match.is_visible_to(user):
        raise NoSuchMatch
    return access.match


def _judge(match: MatchSnapshot, user: User, phrase: str) -> None:
    if not match.seats_of(user.pk):
        raise NotAllowed("Only the players speak at a table.")
    if not settings.CLUB["phrases"]:
        raise NotAllowed("Nobody says anything at tables here at the moment.")
    if not may_speak(match, user.pk):
        raise NobodyListens
    if match.finished_at is not None and match.finished_at < timezone.now() - AFTERWARDS:
        raise TableIsLeft
    if phrase not in {one.slug for one in offered_at(match.rules)}:
        raise NoSuchPhrase
    if silence := silence_of(user.pk):
        raise Silenced(until=silence.until)


def mute(*, match_id: UUID, user: User, seat: int | None) -> None:
    """The user reads nothing more of the person on a seat; without one, of anybody. Again too."""
    Mute.objects.get_or_create(owner=user, muted_id=_person(match_id, user, seat))


def unmute(*, match_id: UUID, user: User, seat: int | None) -> None:
    """The user reads them again; it is no error if they were not muted."""
    Mute.objects.filter(owner=user, muted=_person(match_id, user, seat)).delete()


def _person(match_id: UUID, user: User, seat: int | None) -> UUID | None:
    match = visible(match_id, user.pk)
    if seat is None:
        return None
    person = match.seats[seat].user_id if seat < len(match.seats) else None
    if person is None or person == user.pk:
        raise NobodyToMute
    return person


def silence(*, user_id: UUID, by: Actor, until: datetime | None) -> str:
    """Takes the phrases from a person until a time or for good."""
    user = User.objects.get(pk=user_id)
    with locked_accounts(user_id):
        now = timezone.now()
        Silence.objects.filter(account=user, lifted_at=None, until__lte=now).update(lifted_at=now)
        if Silence.objects.filter(account=user, lifted_at=None).exists():
            raise AlreadySilenced
        row = Silence.objects.create(account=user, until=until, reason=by.reason, by=by.name)
        log.record(by, "silence", "person", user_id, user.username, until=str(row))
    return f"Silenced {row}."


def lift_silence(*, user_id: UUID, by: Actor) -> str:
    user = User.objects.get(pk=user_id)
    with locked_accounts(user_id):
        running = Silence.objects.filter(account=user, lifted_at=None)
        if not running.update(lifted_at=timezone.now()):
            raise AlreadySilenced("This person is not silenced.")
        log.record(by, "lift_silence", "person", user_id, user.username)
    return "The person may speak again."


def forget() -> int:
    """Forgets what was said a day ago."""
    return Saying.objects.filter(at__lt=timezone.now() - KEPT).delete()[0]


FORGOTTEN: Final = Duty(name="old phrases", piece=forget, every=600)
