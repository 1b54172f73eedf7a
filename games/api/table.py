"""People at a table: phrases, mutes, blocks, reports to the operators."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec.structs import asdict

from accounts.models import User
from accounts.social import selectors
from config.api.operations import Api
from games.api.authentication import visible
from games.api.bodies import Body, NewReport
from games.language import words
from games.matches import joining
from games.matches.seats import SeatIndex
from games.matches.snapshot import MatchSnapshot
from games.operations import reports
from games.phrases import speaking
from games.phrases.models import Saying
from games.phrases.speaking import find, offered_at

api = Api("playing", "matches/<uuid:match_id>/")


class OfferedPhrase(msgspec.Struct, frozen=True):
    """What may be said; ``picture`` is a sign, whose name is the text, else empty."""

    phrase: str
    text: str
    picture: str


class SaidPhrase(msgspec.Struct, frozen=True):
    """What a seat said, in the reader's language."""

    seat: int
    phrase: str
    text: str
    picture: str
    at: datetime


class Phrases(msgspec.Struct, frozen=True):
    """``offered`` is empty for a reader who cannot speak here; ``said``: in the last minute.

    ``muted`` are the seats whose phrases you do not read, ``muted_all``: you read nobody's.
    """

    offered: list[OfferedPhrase]
    said: list[SaidPhrase]
    muted: list[int]
    muted_all: bool


class NewPhrase(Body, frozen=True):
    """One of the phrases that ``GET`` offers."""

    phrase: Annotated[str, msgspec.Meta(min_length=1, max_length=32)]


class MuteSeat(Body, frozen=True):
    """The person on ``seat``; without it everybody, at every table."""

    seat: SeatIndex | None = None


@api.get("phrases", tag="watching")
def phrases(user: User, match_id: UUID) -> Phrases:
    """Read what is said at a table

    What the caller may say, and what was said in the last minute.

    As it happens the match's stream says it, with `phrases=true`.
    """
    return _phrases(visible(match_id, user.pk), user.pk)


@api.post(
    "phrases",
    refuses=[
        *(speaking.NoSuchPhrase, speaking.NobodyListens),
        *(speaking.TableIsLeft, speaking.TooManyPhrases, speaking.Silenced),
    ],
    creates="matches/{match_id}/phrases",
)
def say_phrase(user: User, body: NewPhrase, match_id: UUID) -> SaidPhrase:
    """Say something at a table

    Says one of the offered phrases at the caller's seat, five a minute at most.

    It is shown for four seconds; the same again in this time is the same. It is no part of the
    match: no log and no record has it.
    """
    row = speaking.speak(match_id=match_id, user=user, phrase=body.phrase)
    return _response(visible(match_id, user.pk), row)


@api.post(
    "mute",
    scope="account",
    refuses=[speaking.NobodyToMute],
)
def mute_player(user: User, body: MuteSeat, match_id: UUID) -> None:
    """Stop reading a player

    The caller gets no more phrases of this person, at any table; they are not told.
    """
    speaking.mute(match_id=match_id, user=user, seat=body.seat)


@api.post(
    "unmute",
    scope="account",
    refuses=[speaking.NobodyToMute],
)
def unmute_player(user: User, body: MuteSeat, match_id: UUID) -> None:
    """Read a player again

    Takes back that the caller reads nothing of this person, or of anybody.
    """
    speaking.unmute(match_id=match_id, user=user, seat=body.seat)


def _phrases(match: MatchSnapshot, reader: UUID) -> Phrases:
    offered = offered_at(match.rules) if speaking.may_speak(match, reader) else []
    lately = speaking.recent_phrases(match.id, reader)
    people = {seat.user_id: seat.index for seat in match.seats if seat.user_id}
    all_, muted = speaking.mutes_of(reader, people)
    return Phrases(
        offered=[OfferedPhrase(one.slug, words(one.words), one.picture) for one in offered],
        said=[_response(match, row) for row in lately],
        muted=sorted(people[account] for account in muted),
        muted_all=all_,
    )


def _response(match: MatchSnapshot, row: Saying) -> SaidPhrase:
    offered = find(match.rules, row.phrase)
    text, picture = (words(offered.words), offered.picture) if offered else (row.phrase, "")
    return SaidPhrase(row.seat, row.phrase, text, picture, row.at)


@api.post(
    "reports",
    scope="account",
    refuses=[reports.BadReport, reports.AlreadyReported],
)
def report(user: User, body: NewReport, match_id: UUID) -> None:
    """Report a player or a match

    An operator reads it, with what was said at the table in the minute before.

    The person who is reported does not learn of it. Each seat can be reported again when an
    operator has resolved the first report.
    """
    reports.report(match_id=match_id, user=user, **asdict(body))


class BlockPlayer(Body, frozen=True):
    """Who holds ``seat``; without it, who opened the match."""

    seat: SeatIndex | None = None


@api.post(
    "block",
    scope="account",
    refuses=[selectors.CannotBlockYourself, selectors.TooManyBlocks],
)
def block_player(user: User, body: BlockPlayer, match_id: UUID) -> None:
    """Block a player of a match

    Blocks a player of the match, who cannot invite you any more. The match goes on.
    """
    joining.block_player(match_id=match_id, user=user, seat=body.seat)
