"""Bodies of the calls about leagues."""

from datetime import date, datetime
from typing import Annotated, Literal

import msgspec

from config.api.answers import ROOT
from games.leagues.models import Line
from games.leagues.selectors import Division, Row, Sheet, Summary, Tier

Move = Literal["up", "stays", "down"]
Number = Annotated[int, msgspec.Meta(ge=1, le=10_000)]


class LeagueQuery(msgspec.Struct, frozen=True):
    """``week`` is a Monday. Without ``tier`` and ``division``: yours, or the first one."""

    week: date | None = None
    tier: Number | None = None
    division: Number | None = None


class LeagueLine(msgspec.Struct, frozen=True):
    """``username`` is null where you may not see who it is.

    ``move``: where it leads, a tier up or down; in a running week, if it ended now.
    """

    place: int
    username: str | None
    display_name: str | None
    points: int
    matches: int
    move: Move
    you: bool

    @classmethod
    def of(cls, row: Row) -> "LeagueLine":
        person = row.person
        return cls(
            row.place,
            person.username if person else None,
            person.display_name if person else None,
            row.points,
            row.matches,
            row.move,  # type: ignore[arg-type]
            row.is_you,
        )


class DivisionJson(msgspec.Struct, frozen=True):
    tier: int
    division: int
    players: int

    @classmethod
    def of(cls, one: Division) -> "DivisionJson":
        return cls(one.tier, one.number, one.players)


class TierJson(msgspec.Struct, frozen=True):
    """Tier 1 is the top; its divisions are numbered from 1 on."""

    tier: int
    divisions: int
    players: int

    @classmethod
    def of(cls, one: Tier) -> "TierJson":
        return cls(*one)


class LeagueJson(msgspec.Struct, frozen=True):
    """A league in its running week, named by its Monday. ``you``: your line and your division.

    ``member``: whether you play in the next week, too; null without a key.
    """

    game: str
    week: date
    ends_at: datetime
    players: int
    tiers: int
    member: bool | None
    division: DivisionJson | None
    you: LeagueLine | None
    links: dict[str, str]

    @classmethod
    def of(cls, one: Summary, *, is_known: bool) -> "LeagueJson":
        return cls(
            game=one.game,
            week=one.monday,
            ends_at=one.ends_at,
            players=one.players,
            tiers=one.tiers,
            member=one.is_member if is_known else None,
            division=DivisionJson.of(one.division) if one.division else None,
            you=LeagueLine.of(one.own) if one.own else None,
            links={"self": f"{ROOT}leagues/{one.game}", "page": f"/leagues/{one.game}"},
        )


class Leagues(msgspec.Struct, frozen=True):
    results: list[LeagueJson]


class LeagueWeek(msgspec.Struct, frozen=True):
    """One of your closed weeks."""

    week: date
    tier: int
    division: int
    place: int
    points: int
    matches: int
    move: Move

    @classmethod
    def of(cls, line: Line) -> "LeagueWeek":
        return cls(
            line.week.monday,
            line.tier,
            line.division,
            line.place or 0,
            line.points or 0,
            line.matches or 0,
            line.move,  # type: ignore[arg-type]
        )


class LeagueSheet(msgspec.Struct, frozen=True):
    """A division with its standings. ``closed``: the week is over and its results stand.

    ``tiers`` are all of the week, ``your_weeks`` your last closed ones.
    """

    game: str
    week: date
    begins_at: datetime
    ends_at: datetime
    closed: bool
    tier: int
    division: int
    standings: list[LeagueLine]
    tiers: list[TierJson]
    member: bool | None
    your_weeks: list[LeagueWeek]

    @classmethod
    def of(cls, sheet: Sheet, weeks: list[Line], *, member: bool | None) -> "LeagueSheet":
        return cls(
            game=sheet.game,
            week=sheet.monday,
            begins_at=sheet.begins_at,
            ends_at=sheet.ends_at,
            closed=sheet.is_closed,
            tier=sheet.division.tier,
            division=sheet.division.number,
            standings=[*map(LeagueLine.of, sheet.rows)],
            tiers=[*map(TierJson.of, sheet.tiers)],
            member=member,
            your_weeks=[*map(LeagueWeek.of, weeks)],
        )
