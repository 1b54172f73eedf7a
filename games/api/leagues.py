"""Leagues: the list, a division, joining and leaving."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Annotated
from uuid import UUID

import msgspec
from django.utils.translation import gettext, ngettext

from accounts.models import User
from config.api.json import ROOT
from config.api.operations import Api, Nothing, answer
from games.api.text import PlainText, lines_of
from games.leagues import divisions as joining
from games.leagues import selectors
from games.leagues.selectors import Division, LeagueLine, Move, Tier

api = Api("tournaments")


Number = Annotated[int, msgspec.Meta(ge=1, le=10_000)]


class LeagueQuery(msgspec.Struct, frozen=True):
    """``week`` is a Monday. Without ``tier`` and ``division``: yours, or the first one."""

    week: date | None = None
    tier: Number | None = None
    division: Number | None = None


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
    division: Division | None
    you: LeagueLine | None
    links: dict[str, str]


class Leagues(msgspec.Struct, frozen=True):
    results: list[LeagueJson]
    next: str | None = None


class LeagueWeek(msgspec.Struct, frozen=True):
    """One of your closed weeks."""

    week: date
    tier: int
    division: int
    place: int
    points: int
    matches: int
    move: Move


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
    tiers: list[Tier]
    member: bool | None
    your_weeks: list[LeagueWeek]


@api.get("leagues", plain_text=PlainText, a_second_old=True)
def leagues(reader: UUID | None) -> Leagues:
    """List the leagues

    The running week of each game, with your place. Needs no key.
    """
    return Leagues(
        [
            answer(
                LeagueJson,
                one,
                week=one.monday,
                member=one.is_member if reader else None,
                you=one.own,
                links={"self": f"{ROOT}leagues/{one.game}", "page": f"/leagues/{one.game}"},
            )
            for one in selectors.summaries(reader)
        ]
    )


@api.get("leagues/<slug:game>", plain_text=PlainText, refuses=[selectors.NoSuchLeague])
def league(reader: UUID | None, query: LeagueQuery, game: str) -> LeagueSheet:
    """Read a division of a league

    The standings of a week, as it stands now or as it ended. Needs no key.

    A match gives up to 10 points: ten times the share of the opponents whom you finish ahead
    of, an equal place counting half. What counts are public rated matches against people, the
    first 3 against the same opponent, the first 30 of the week.
    """
    sheet = selectors.sheet_of(
        game, reader=reader, monday=query.week, tier=query.tier, number=query.division
    )
    return _answer(sheet, reader)


@api.post(
    "leagues/<slug:game>/join",
    body=Nothing,
    refuses=[selectors.NoSuchLeague, selectors.CannotJoinLeague],
)
def join_league(user: User, game: str) -> LeagueSheet:
    """Join a league

    From now on, this week and the next ones; the answer is your division. Again is no error.

    You come in by where you were when you last played, or by your rating once it is settled, or
    else in the lowest tier.
    """
    joining.join(user=user, game=game)
    return _answer(selectors.sheet_of(game, reader=user.pk), user.pk)


@api.post("leagues/<slug:game>/leave", body=Nothing, refuses=[selectors.NoSuchLeague])
def leave_league(user: User, game: str) -> LeagueSheet:
    """Leave a league

    From the next week on: your line of this one stays. Again is no error.
    """
    joining.leave(user=user, game=game)
    return _answer(selectors.sheet_of(game, reader=user.pk), user.pk)


def _answer(sheet: selectors.Sheet, reader: UUID | None) -> LeagueSheet:
    member = None if reader is None else selectors.is_member(reader, sheet.game)
    weeks = [] if reader is None else selectors.own_weeks(reader, sheet.game)
    counts = ("place", "points", "matches")
    return answer(
        LeagueSheet,
        sheet,
        week=sheet.monday,
        closed=sheet.is_closed,
        tier=sheet.division.tier,
        division=sheet.division.division,
        standings=sheet.rows,
        member=member,
        your_weeks=[
            answer(
                LeagueWeek,
                line,
                week=line.week.monday,
                **{name: getattr(line, name) or 0 for name in counts},
            )
            for line in weeks
        ],
    )


@lines_of.register
def _(leagues: Leagues, _names: Sequence[str]) -> Iterator[str]:
    yield from map(_league, leagues.results)


@lines_of.register
def _(sheet: LeagueSheet, _names: Sequence[str]) -> Iterator[str]:
    where = gettext("Tier {tier}, division {division}")
    yield f"{sheet.game}  {sheet.week}  " + where.format(tier=sheet.tier, division=sheet.division)
    yield from map(_standing, sheet.standings)
    if not sheet.standings:
        yield gettext("Nobody plays in this league yet.")


def _league(one: LeagueJson) -> str:
    players = ngettext("{n} player", "{n} players", one.players).format(n=one.players)
    place = "" if one.you is None else f"  {one.you.place}."
    return f"{one.game}  {one.week}  {players}{place}"


def _standing(line: LeagueLine) -> str:
    name = line.display_name or gettext("Somebody")
    points = ngettext("{n} point", "{n} points", line.points).format(n=line.points)
    return f"{line.place}. {name}: {points}"
