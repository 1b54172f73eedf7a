"""Bodies of requests about matches, and the fields that several bodies and answers share."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, UnsetType

from config.api.components import drawn
from config.api.json import PageQuery
from games.lobby.challenges import Reason
from games.matches.opening import LONGEST_DELAY, LONGEST_TURN, SHORTEST_TURN
from games.matches.seats import SeatIndex, SeatRequest, Visibility
from games.matches.time_bank import ClockTerms
from games.mirrored.opening import LEAST_PAIRS, MOST_PAIRS

Status = Literal["open", "active", "finished", "aborted"]
OnTimeout = Literal["resign", "bot_move", "bot_takes_over"]
Version = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request body: unknown fields are refused, since they are most often misspelt ones."""


# The service refuses others (422), with the sentence that it has for each option.
TurnSeconds = Annotated[
    int, msgspec.Meta(extra_json_schema=drawn(minimum=SHORTEST_TURN, maximum=LONGEST_TURN))
]


class NewMatch(Body, frozen=True):
    """``turn_seconds`` limits each move, ``clock`` all moves of a person together; not both.

    ``watch_delay``: those who look on see the match so many plies later, while it runs.
    ``rated``: true for a match that must be rated, so that nobody joins who cannot be; false for
    one that is not; by default it is rated where that is possible. People with accounts are rated,
    among themselves or one against computers, where a player whose time is up loses.
    ``mirrored``: it is the first of a set of ``pairs`` (3 without) of two matches each, which are
    dealt alike with the sides swapped; the others begin by themselves, one after the other, in a
    secret order, and none is rated, since the cards of a deal are known from its twin. With twice
    the seats of the game it is a duplicate: those at your table, then the partner of each of them,
    who play the same deals at another table.
    """

    game: str
    seats: Annotated[list[SeatRequest], msgspec.Meta(max_length=32)]
    preset: str | None = None
    options: dict[str, Any] | None = None
    visibility: Visibility = "unlisted"
    turn_seconds: TurnSeconds | None = None
    on_timeout: OnTimeout | None = None
    clock: ClockTerms | None = None
    watch_delay: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_DELAY)] = 0
    rated: bool | None = None
    mirrored: bool = False
    pairs: (
        Annotated[
            int, msgspec.Meta(extra_json_schema=drawn(minimum=LEAST_PAIRS, maximum=MOST_PAIRS))
        ]
        | None
    ) = None

    def __post_init__(self) -> None:
        if self.pairs is not None and not self.mirrored:
            raise ValueError("`pairs` goes with `mirrored`")


class Join(Body, frozen=True):
    seat: SeatIndex | None = None
    deck: str | None = None


class Load(Body, frozen=True):
    cards: Literal["same", "reshuffled"]
    round: Version | None = None
    version: Version | None = None


class MoreTime(Body, frozen=True):
    """``seconds`` by default the match's limit, of a clock a minute; ``seat`` one of the others to
    act, else all."""

    seconds: Annotated[int, msgspec.Meta(ge=1, le=14 * 24 * 3600)] | None = None
    seat: SeatIndex | None = None


class Leave(Body, frozen=True):
    """``reason``: why an invitation is declined, as its host is told."""

    reason: Reason = "generic"


class SeatOffer(Body, frozen=True):
    """To whom the host gives a free seat: a person by name, anybody who comes, any of the host's
    friends, or a computer.
    """

    bounds: ClassVar = {"minProperties": 2, "maxProperties": 2}

    seat: SeatIndex
    username: Annotated[str, msgspec.Meta(max_length=150)] | UnsetType = UNSET
    open: Literal[True] | UnsetType = UNSET
    friends: Literal[True] | UnsetType = UNSET
    bot: Annotated[str, msgspec.Meta(max_length=64)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        given = (self.username, self.open, self.friends, self.bot)
        if sum(each is not UNSET for each in given) != 1:
            raise ValueError("Give one of `username`, `open`, `friends` and `bot`")


class TakeBackRequest(Body, frozen=True):
    """``version``: the match as you see it; ``round``: by default that of the last move."""

    version: Version
    round: Version | None = None


class TakeBackAnswer(Body, frozen=True):
    """``version``: that of ``take_back`` in the match."""

    version: Version
    accept: bool


class TakeBackWithdrawal(Body, frozen=True):
    """``version``: that of ``take_back`` in the match."""

    version: Version


class SeatTakenBack(Body, frozen=True):
    seat: SeatIndex | None = None


class MatchesQuery(PageQuery, frozen=True):
    game: str = ""
    status: Status | Literal[""] = ""
    mine: bool = False
    joinable: bool = False


class SeatQuery(msgspec.Struct, frozen=True):
    seat: SeatIndex | None = None


class NewReport(Body, frozen=True):
    """Without ``seat`` the match itself is reported; ``text`` says what happened."""

    reason: Literal["name", "cheating", "stalling", "phrases", "fault", "other"]
    seat: SeatIndex | None = None
    text: Annotated[str, msgspec.Meta(max_length=500)] = ""


class NewMove(Body, frozen=True):
    move: Annotated[str, msgspec.Meta(max_length=400)]
    version: Version
    seat: SeatIndex | None = None


class Resignation(Body, frozen=True):
    seat: SeatIndex | None = None


class EventsQuery(msgspec.Struct, frozen=True):
    """``limit`` counts versions, so that a version's events always come together."""

    after: Annotated[int, msgspec.Meta(ge=-1, le=2**31 - 1)] = -1
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 25
    seat: SeatIndex | None = None


class Events(msgspec.Struct, frozen=True):
    """``events``: each with ``version``, ``by`` (who moved), ``move``, ``type``, its own fields."""

    game: str
    version: int
    events: list[dict[str, Any]]
