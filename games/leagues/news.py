"""That a week is over, for those who played in it and want to be told."""

from collections.abc import Iterable

from accounts.notifications.outbox import Owed, owe_all
from cardroom.rules import catalog
from games.leagues.models import Line, Week


def owe_news(week: Week, lines: Iterable[Line]) -> None:
    """Nobody who played no match of it."""
    name = catalog.find(week.game).name
    owe_all(
        Owed(
            line.account_id,
            "league",
            f"league:{week.pk}:{line.account_id}",
            {
                "game": week.game,
                "game_name": name,
                "what": line.move,
                "url": f"/leagues/{week.game}?week={week.monday}",
            },
        )
        for line in lines
        if line.matches
    )
