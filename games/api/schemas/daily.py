"""Bodies of the calls about the deals of the day."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Literal
from uuid import UUID

import msgspec

from config.api.answers import ROOT
from games.daily.models import DailyDeal
from games.daily.results import Line, Own, Results
from games.daily.selectors import Streak


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

    @classmethod
    def of(cls, line: Line) -> "DailyLine":
        return cls(line.place, line.person.username, line.person.display_name, line.score)


class OwnTry(msgspec.Struct, frozen=True):
    """Your match of a deal; ``score`` is there once you have played it to its end."""

    match: UUID
    status: Literal["open", "active", "finished", "aborted"]
    score: int | None

    @classmethod
    def of(cls, own: Own) -> "OwnTry":
        return cls(own.match, own.status, own.score)  # type: ignore[arg-type]


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
    def of(cls, daily: DailyDeal, own: Own | None) -> "DailyDealJson":
        here = f"{ROOT}daily/{daily.day}/{daily.game}"
        return cls(
            day=daily.day,
            game=daily.game,
            options=msgspec.json.decode(bytes(daily.options)),
            bots=list(daily.bots),
            commitment=daily.deal.commitment,
            seed=bytes(daily.deal.seed).hex() if daily.is_over else None,
            published_at=daily.published_at,
            ends_at=daily.ends_at,
            yours=OwnTry.of(own) if own else None,
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
    def of(cls, results: Results) -> "DailyResults":
        return cls(
            people=ScoreCount.of_all(results.people),
            computers=[
                ComputerScoresJson(bot, ScoreCount.of_all(counts))
                for bot, counts in results.computers.items()
            ],
            lines=list(map(DailyLine.of, results.lines)),
            best=results.best,
        )


class DailyDealWithResults(msgspec.Struct, frozen=True):
    """``results`` is null until the deal is revealed."""

    deal: DailyDealJson
    results: DailyResults | None


class StreakJson(msgspec.Struct, frozen=True):
    """Revealed days in a row on which you played a deal to its end."""

    current: int
    longest: int

    @classmethod
    def of(cls, streak: Streak) -> "StreakJson":
        return cls(*streak)


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
    streak: StreakJson | None
    opens: Opens | None = None


class PlayDaily(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``practise`` is the day of a revealed deal, which counts for nothing; null is today's."""

    practise: date | None = None
