"""The deals of the day."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.response import Response

from accounts.models import User
from config.api.json import ROOT
from config.api.operations import Api, answer
from games.api.match_answers import TOO_MANY_MATCHES, Match, match_answer
from games.daily import playing, selectors
from games.daily.models import DailyDeal
from games.matches.refusals import GameNotInstalled

api = Api("playing")


class ScoreCount(msgspec.Struct, frozen=True):
    score: int
    matches: int

    @classmethod
    def of_all(cls, counts: Mapping[int, int]) -> "list[ScoreCount]":
        """The best score first."""
        return [cls(score, counts[score]) for score in sorted(counts, reverse=True)]


class ComputerScoresJson(msgspec.Struct, frozen=True):
    """What a computer made of the same deal on your seat, over many matches."""

    bot: str
    scores: list[ScoreCount]


class DailyLine(msgspec.Struct, frozen=True):
    place: int
    username: str
    display_name: str
    score: int


class OwnTry(msgspec.Struct, frozen=True):
    """Your match of a deal; ``score`` is there once you have played it to its end."""

    match: UUID
    status: Literal["open", "active", "finished", "aborted"]
    score: int | None


class DailyDealJson(msgspec.Struct, frozen=True):
    """A deal; the SHA-256 of its ``seed`` is the ``commitment``, published the day before.

    The first seat is yours, ``bots`` hold the others. The seed is null until the deal is revealed.
    """

    day: date
    game: str
    options: dict[str, Any]
    bots: list[str]
    commitment: str
    seed: str | None
    published_at: datetime
    ends_at: datetime
    yours: OwnTry | None
    links: dict[str, str]

    @classmethod
    def of(cls, daily: DailyDeal, own: selectors.Own | None) -> "DailyDealJson":
        here = f"{ROOT}daily/{daily.day}/{daily.game}"
        return answer(
            cls,
            daily,
            options=msgspec.json.decode(bytes(daily.options)),
            commitment=daily.deal.commitment,
            seed=bytes(daily.deal.seed).hex() if daily.is_over else None,
            yours=answer(OwnTry, own) if own else None,
            links={"self": here, "page": f"/daily/{daily.day}/{daily.game}"},
        )


class DailyResults(msgspec.Struct, frozen=True):
    """How the day went: matches played to their end by score, the first people by name.

    ``best`` is the match whose replay everybody may read.
    """

    people: list[ScoreCount]
    computers: list[ComputerScoresJson]
    lines: list[DailyLine]
    best: UUID | None

    @classmethod
    def of(cls, results: selectors.Results) -> "DailyResults":
        return cls(
            people=ScoreCount.of_all(results.people),
            computers=[
                ComputerScoresJson(bot, ScoreCount.of_all(counts))
                for bot, counts in results.computers.items()
            ],
            lines=[
                DailyLine(one.place, one.person.username, one.person.display_name, one.score)
                for one in results.lines
            ],
            best=results.best,
        )


class DailyDealWithResults(msgspec.Struct, frozen=True):
    """``results`` is null until the deal is revealed."""

    deal: DailyDealJson
    results: DailyResults | None


class DailyStreak(msgspec.Struct, frozen=True):
    """Revealed days in a row on which you played a deal to its end."""

    current: int
    longest: int


class NextDeal(msgspec.Struct, frozen=True):
    game: str
    commitment: str


class Opens(msgspec.Struct, frozen=True):
    """The deals of a day open to you from ``day`` on, after so many more matches played to their
    end. To a guest and without a key: if you register today.
    """

    day: date
    matches_left: int


class Daily(msgspec.Struct, frozen=True):
    """The deals of today. ``may_compete``: whether you may play them today, null without a key.

    ``opens`` says when you may, null if you may today.
    """

    day: date
    deals: list[DailyDealJson]
    tomorrow: list[NextDeal]
    may_compete: bool | None
    streak: DailyStreak | None
    opens: Opens | None = None


class PlayDaily(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``practise`` is the day of a revealed deal, which counts for nothing; null is today's."""

    practise: date | None = None


@api.get("daily")
def daily(user: User | None) -> Daily:
    """List the deals of the day

    One sealed deal of each game for everybody. Days are those of UTC. Needs no key.
    """
    day = selectors.today()
    deals, opens = selectors.deals_of(day), selectors.admission(user, day)
    entries = selectors.entries_of(user.pk if user else None, deals)
    own = {pk: selectors.own_result(entry) for pk, entry in entries.items()}
    return Daily(
        day=day,
        deals=[DailyDealJson.of(one, own.get(one.pk)) for one in deals],
        tomorrow=[
            NextDeal(o.game, o.deal.commitment) for o in selectors.deals_of(day + selectors.ONE_DAY)
        ],
        may_compete=opens.is_open if user else None,
        opens=None if opens.is_open else Opens(opens.opens_on, opens.matches_left),
        streak=DailyStreak(*selectors.streak_of(user.pk)) if user else None,
    )


@api.post(
    "daily/<str:game>",
    refuses=[
        *(selectors.NoSuchDeal, selectors.NotToday, selectors.CannotCompete),
        *TOO_MANY_MATCHES,
        GameNotInstalled,
    ],
)
def play_daily(
    user: User, body: PlayDaily, game: str
) -> Annotated[Response, {200: Match, 201: Match}]:
    """Play a deal of the day

    Begins your one match of today's deal; again it is the same match, with 200.

    It is private, unrated, and tells nothing but what your seat sees until the day is over. For
    practice name the day of an earlier deal: anybody may, as often as they like.
    """
    if body.practise is not None:
        match = playing.practise(user=user, day=body.practise, game=game)
        return match_answer(match, user.pk, status=201)
    match, is_new = playing.play(user=user, game=game)
    return match_answer(match, user.pk, status=201 if is_new else 200)


@api.get(
    "daily/<str:day>/<str:game>",
    refuses=[selectors.NoSuchDeal],
    parameters=[OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH)],
)
def daily_deal(reader: UUID | None, day: str, game: str) -> DailyDealWithResults:
    """Read a deal of the day

    A deal of today or earlier; with seed and results once it is revealed.
    """
    deal = selectors.find_deal(selectors.day_of(day), game)
    entry = selectors.entries_of(reader, [deal]).get(deal.pk)
    results = selectors.results_of(deal, reader)
    return DailyDealWithResults(
        DailyDealJson.of(deal, selectors.own_result(entry) if entry else None),
        DailyResults.of(results) if results else None,
    )
