"""The title of whoever has won the top tier of a league in a week."""

from typing import Final
from uuid import UUID

from games.leagues.models import Line
from games.people.titles import Title
from games.rules import catalog
from games.rules.text import say

LEAST: Final = 8  # players of the division, or it says little


def titles_of(account: UUID) -> list[Title]:
    """One of each game."""
    won = Line.objects.filter(account=account, place=1, tier=1, points__gt=0).select_related("week")
    games = {line.week.game for line in won if _players(line) >= LEAST}
    return [
        Title("league", game.slug, say("Winner of a week in the {game} league", game=game.name))
        for game in catalog.GAMES
        if game.slug in games
    ]


def _players(line: Line) -> int:
    return Line.objects.filter(week=line.week_id, tier=1, division=line.division).count()
