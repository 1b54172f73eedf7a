"""The title of players who have won the top tier of a league in a week."""

from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef

from cardroom.rules import catalog
from cardroom.rules.text import say
from games.leagues.models import Line
from games.people.titles import Title

LEAST: Final = 8  # players of the division, or it says little


def titles_of(account: UUID) -> list[Title]:
    """One of each game. Slots of a division have no gaps, so one of them tells its size."""
    enough = Line.objects.filter(
        week=OuterRef("week"), tier=1, division=OuterRef("division"), slot=LEAST - 1
    )
    won = Line.objects.filter(Exists(enough), account=account, place=1, tier=1, points__gt=0)
    games = set(won.order_by().values_list("week__game", flat=True))
    return [
        Title("league", game.slug, say("Winner of a week in the {game} league", game=game.name))
        for game in catalog.GAMES
        if game.slug in games
    ]
