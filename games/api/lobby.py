"""Seeks, which want anybody, and challenges, which ask one person for a match on full terms."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

import msgspec
from django.utils.translation import gettext, ngettext
from msgspec import UNSET, UnsetType

from accounts.models import User
from config.api.json import ROOT
from config.api.operations import Api, IdempotencyKey, answer
from games.api.bodies import Body
from games.api.match_answers import TOO_MANY_MATCHES
from games.api.text import PlainText, lines_of
from games.language import words
from games.lobby import challenges as answering
from games.lobby import seeking, selectors
from games.lobby.challenges import ChallengeTerms, NewChallenge, Reason, Slug
from games.lobby.models import Seek
from games.lobby.seeking import NewSeek
from games.lobby.selectors import Queue
from games.matches import refusals as matches
from games.matches.time_bank import OF_CLOCKS, ClockTerms, clock_pace, find_pace, is_pace
from games.mirrored import results as mirrored

api = Api("playing")


PaceShown = Literal["blitz", "normal", "slow_1", "slow_3", "slow_7", "clock"]


class SeekJson(msgspec.Struct, frozen=True):
    """``match`` is there as soon as ``status`` is ``paired``; ``ending`` says why a seek ended.

    ``waiting`` are all who wait for this game at this pace, ``seconds`` how long it took lately.
    """

    id: UUID
    game: str
    preset: str | None
    pace: PaceShown
    rated: bool
    seats: int
    computers_after: int | None
    status: Literal["waiting", "paired", "ended"]
    ending: Literal["withdrawn", "lapsed", "refused"] | None
    match: UUID | None
    waiting: int
    seconds: int | None
    created_at: datetime
    links: dict[str, str]
    clock: ClockTerms | UnsetType = UNSET


class QueueJson(msgspec.Struct, frozen=True):
    """How many people wait for a game at a pace, and how many seconds it took in the last hour.

    Where ``pace`` is ``clock``, here and in a seek, ``clock`` says which one.
    """

    game: str
    pace: PaceShown
    waiting: int
    seconds: int | None
    clock: ClockTerms | UnsetType = UNSET


class SeekList(msgspec.Struct, frozen=True):
    """Your seeks, and everybody's queues in which somebody waits or was paired lately."""

    results: list[SeekJson]
    queues: list[QueueJson]
    next: str | None = None


def seek_response(seek: Seek, queue: Queue) -> SeekJson:
    links = {"self": f"{ROOT}seeks/{seek.id}"}
    if seek.match_id:
        links["match"] = f"{ROOT}matches/{seek.match_id}"
    return answer(
        SeekJson,
        seek,
        preset=seek.preset or None,
        pace=pace_shown(seek.pace),
        ending=seek.ending or None,
        match=seek.match_id,
        waiting=queue.waiting,
        seconds=queue.seconds,
        links=links,
        clock=clock_shown(seek.pace),
    )


def pace_shown(slug: str) -> PaceShown:
    return "clock" if OF_CLOCKS in slug else slug  # type: ignore[return-value]


def clock_shown(slug: str) -> ClockTerms | UnsetType:
    return (find_pace(slug).clock if is_pace(slug) else None) or UNSET


@api.get("seeks", plain_text=PlainText)
def seeks(user: User) -> SeekList:
    """List your seeks

    Your seeks that wait, and those of the last ten minutes; and who else waits for what.

    A person who waits gives a sign of life by this call, by `GET seeks/<id>` or by an open
    stream (`GET stream`). Without one for 15 seconds a seek ends.
    """
    seeking.sign_of_life([user.pk])
    mine = selectors.seeks_of(user.pk)[: selectors.MOST_SHOWN]
    queues = selectors.queues()
    own_seeks = [seek_response(seek, selectors.queue_among(queues, seek)) for seek in mine]
    shown = [
        answer(QueueJson, queue, pace=pace_shown(queue.pace), clock=clock_shown(queue.pace))
        for queue in queues
    ]
    return SeekList(own_seeks, shown)


@api.post(
    "seeks",
    creates="seeks/{0.id}",
    refuses=[
        *(matches.UnknownGame, matches.BadOptions, matches.BadSeats, matches.BadDeck),
        *(selectors.AlreadyPaired, selectors.StaysAway, matches.ProgramDeclines),
        matches.TooManyActiveMatches,
    ],
)
def create_seek(user: User, body: NewSeek, key: IdempotencyKey) -> SeekJson:
    """Seek a match with anybody

    Waits for others who want the same; the match begins when all seats are taken.

    That is told by the account's stream (`started`) and by `GET seeks`. For each game one seek
    waits at a time: the same wish again is the same seek, another one takes its place.
    The same `Idempotency-Key` again gives the seek that it made, whatever became of it.
    """
    own_seek = seeking.seek(account=user, wish=body, key=key)
    return seek_response(own_seek, selectors.queue_of(own_seek))


@api.get("seeks/<uuid:seek_id>", plain_text=PlainText, refuses=[selectors.NoSuchSeek])
def seek(user: User, seek_id: UUID) -> SeekJson:
    """Read a seek

    Whether it waits, was paired, or has ended; a sign of life of who waits.
    """
    own_seek = selectors.seek_of(user.pk, seek_id)
    seeking.sign_of_life([user.pk])
    return seek_response(own_seek, selectors.queue_of(own_seek))


@api.delete("seeks/<uuid:seek_id>", refuses=[selectors.NoSuchSeek, selectors.AlreadyPaired])
def delete_seek(user: User, seek_id: UUID) -> None:
    """Stop waiting

    Ends a seek; again is no error. One that was paired has its match: 409.
    """
    seeking.withdraw(account=user, seek_id=seek_id)


class ChallengeAccepted(Body, frozen=True):
    """``deck``: the side deck that you bring, where the game has them; else your default one."""

    deck: Slug | None = None


class ChallengeDeclined(Body, frozen=True):
    reason: Reason = "generic"


class Challenge(ChallengeTerms, frozen=True):
    """A challenge as one of the two sees it. Once it is accepted the match of its id runs."""

    links: dict[str, str]


class ChallengeList(msgspec.Struct, frozen=True):
    """Those that wait, and those that were answered or ended in the last ten minutes."""

    received: list[Challenge]
    sent: list[Challenge]


def challenge_response(shown: ChallengeTerms) -> Challenge:
    links = {"self": f"{ROOT}challenges/{shown.id}", "match": f"{ROOT}matches/{shown.id}"}
    return Challenge(**msgspec.structs.asdict(shown), links=links)


@api.get("challenges", plain_text=PlainText)
def challenges(user: User) -> ChallengeList:
    """List your challenges

    Those that you received and those that you sent, the newest first.
    """
    answers = [challenge_response(one) for one in answering.challenges_of(user.pk)]
    mine = [one for one in answers if one.challenger.username == user.username]
    return ChallengeList([one for one in answers if one not in mine], mine)


@api.post(
    "challenges",
    creates="challenges/{0.id}",
    refuses=[
        *(matches.UnknownGame, matches.UnknownBot, matches.UnknownUser, matches.BadOptions),
        *(matches.BadSeats, matches.BadDeck, matches.CannotBeRated, mirrored.CannotBeMirrored),
        *TOO_MANY_MATCHES,
    ],
)
def create_challenge(user: User, body: NewChallenge, key: IdempotencyKey) -> Challenge:
    """Challenge somebody

    Asks one person for one match on these terms. It begins when they accept.

    They hear of it by their stream (`challenge`), and see it in their lobby. A computer of the
    game accepts at once. The same `Idempotency-Key` again gives the challenge that it made.
    """
    made = answering.send_challenge(account=user, terms=body, key=key)
    return challenge_response(answering.challenge_of(user.pk, made))


@api.get(
    "challenges/<uuid:challenge_id>", plain_text=PlainText, refuses=[selectors.NoSuchChallenge]
)
def challenge(user: User, challenge_id: UUID) -> Challenge:
    """Read a challenge

    Its terms, and what became of it.
    """
    return challenge_response(answering.challenge_of(user.pk, challenge_id))


@api.delete(
    "challenges/<uuid:challenge_id>",
    refuses=[selectors.NoSuchChallenge, selectors.ChallengeIsOver, matches.GameNotInstalled],
)
def withdraw_challenge(user: User, challenge_id: UUID) -> None:
    """Withdraw a challenge

    Takes back a challenge that you made; again is no error.
    """
    answering.withdraw(account=user, challenge_id=challenge_id)


@api.post(
    "challenges/<uuid:challenge_id>/accept",
    refuses=[
        *(
            selectors.NoSuchChallenge,
            selectors.ChallengeIsOver,
            matches.BadDeck,
            matches.UnknownDeck,
        ),
        *(matches.CannotBeRated, matches.ProgramDeclines, matches.GameNotInstalled),
    ],
)
def accept_challenge(user: User, body: ChallengeAccepted, challenge_id: UUID) -> Challenge:
    """Accept a challenge

    You sit down, and the match begins; again is no error.
    """
    shown = answering.accept(account=user, challenge_id=challenge_id, deck=body.deck)
    return challenge_response(shown)


@api.post(
    "challenges/<uuid:challenge_id>/decline",
    refuses=[selectors.NoSuchChallenge, selectors.ChallengeIsOver, matches.GameNotInstalled],
)
def decline_challenge(user: User, body: ChallengeDeclined, challenge_id: UUID) -> Challenge:
    """Decline a challenge

    You do not play, for a named reason that the challenger reads; again is no error.
    """
    shown = answering.decline(account=user, challenge_id=challenge_id, reason=body.reason)
    return challenge_response(shown)


@lines_of.register
def _(seek: SeekJson, _names: Sequence[str]) -> Iterator[str]:
    yield _seek_line(seek)


@lines_of.register
def _(challenge: Challenge, _names: Sequence[str]) -> Iterator[str]:
    yield _challenge_line(challenge)


@lines_of.register
def _(challenges: ChallengeList, _names: Sequence[str]) -> Iterator[str]:
    yield from map(_challenge_line, [*challenges.received, *challenges.sent])
    if not challenges.received and not challenges.sent:
        yield gettext("No challenges.")


@lines_of.register
def _(seek_list: SeekList, _names: Sequence[str]) -> Iterator[str]:
    yield from map(_seek_line, seek_list.results)
    if not seek_list.results:
        yield gettext("No seeks.")
    for queue in seek_list.queues:
        pace = pace_words(queue.pace, queue.clock)
        yield f"  {queue.game}, {pace}: {_waiting_words(queue.waiting, queue.seconds)}"


def _challenge_line(challenge: Challenge) -> str:
    line = gettext("{challenger} challenges {challenged}").format(
        challenger=challenge.challenger.name, challenged=challenge.challenged.name
    )
    return f"{challenge.id}  {line}: {challenge.game}, {gettext(challenge.status)}."


def _seek_line(seek: SeekJson) -> str:
    pace = pace_words(seek.pace, seek.clock)
    line = f"{seek.id}  {seek.game}, {pace}: {gettext(seek.ending or seek.status)}."
    if seek.match is not None:
        return f"{line} " + gettext("Match {id}").format(id=seek.match)
    return f"{line} " + _waiting_words(seek.waiting, seek.seconds)


def pace_words(pace: str, clock: ClockTerms | UnsetType) -> str:
    if clock:
        return words(clock_pace(clock).name)
    return words(find_pace(pace).name) if is_pace(pace) else pace


def _waiting_words(waiting: int, seconds: int | None) -> str:
    line = ngettext("{n} waits.", "{n} wait.", waiting).format(n=waiting)
    if seconds is None:
        return line
    return f"{line} " + gettext("Lately it took {n} s.").format(n=seconds)
