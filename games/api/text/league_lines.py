"""Leagues in lines."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext, ngettext

from games.api.schemas.leagues.answers import LeagueJson, LeagueLine, Leagues, LeagueSheet
from games.api.text.lines import lines_of


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
