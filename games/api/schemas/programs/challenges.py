"""Bodies and answers of challenges."""

from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, UnsetType

from config.api.answers import ROOT
from games.api.schemas.fields import Body, Reason, SeatIndex, Visibility
from games.api.schemas.match_requests import ClockTerms
from games.api.schemas.seeks import PaceName
from games.lobby.challenges.terms import LONGEST, SHORTEST, USUAL, ChallengeTerms, Terms
from games.lobby.seeking import MOST_SEATS

Name = Annotated[str, msgspec.Meta(max_length=150)]
Slug = Annotated[str, msgspec.Meta(max_length=64)]


class NewChallenge(Body, frozen=True):
    """To a person or a program by ``username``, or to a computer of the game: ``bot``.

    ``seat`` is yours; without it seats are drawn by lot. ``seats`` is the number of players;
    ``computers`` is the bot on those beyond two. ``pace`` is a time for each move, a ``clock``
    takes its place; without both nobody is in a hurry. ``rated``: true for a match that must be
    rated, false for one that is not, by default where it can be. It waits ``expires_in`` seconds.
    """

    bounds: ClassVar = {"oneOf": [{"required": ["username"]}, {"required": ["bot"]}]}

    game: Annotated[str, msgspec.Meta(max_length=32)]
    username: Name | UnsetType = UNSET
    bot: Slug | UnsetType = UNSET
    preset: Slug | None = None
    options: dict[str, Any] | None = None
    seats: Annotated[int, msgspec.Meta(ge=2, le=MOST_SEATS)] | None = None
    seat: SeatIndex | None = None
    computers: Slug | None = None
    pace: PaceName | None = None
    clock: ClockTerms | None = None
    rated: bool | None = None
    mirrored: bool = False
    visibility: Visibility = "unlisted"
    expires_in: Annotated[int, msgspec.Meta(ge=SHORTEST, le=LONGEST)] = USUAL

    def __post_init__(self) -> None:
        if (self.username is UNSET) == (self.bot is UNSET):
            raise ValueError("Give one of `username` and `bot`")

    @property
    def terms(self) -> Terms:
        sent = {name: getattr(self, name) for name in self.__struct_fields__}
        fields: dict[str, Any] = {
            name: None if value is UNSET else value for name, value in sent.items()
        }
        return Terms(**fields | {"clock": self.clock.clock if self.clock else None})


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


def list_response(username: str, shown: list[ChallengeTerms]) -> ChallengeList:
    answers = [challenge_response(one) for one in shown]
    mine = [one for one in answers if one.challenger.username == username]
    return ChallengeList([one for one in answers if one not in mine], mine)
