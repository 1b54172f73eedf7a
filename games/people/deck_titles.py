"""The title of players who have beaten the strongest computer with every ready-made side deck."""

from typing import Any, Final
from uuid import UUID

from django.db import connection

from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.text import say
from decks.selectors import ready_made
from games.people.titles import Title

# Decks are kept in the order in which they were brought.
_WON_WITH: Final = """
SELECT DISTINCT ARRAY(SELECT unnest(s.side_deck) ORDER BY 1)
FROM people_result r JOIN games_seat s ON s.match_id = r.match_id AND s.user_id = r.account_id
WHERE r.account_id = %s AND r.game = %s AND r.bot = %s AND r.outcome = 'won'
    AND s.side_deck IS NOT NULL
"""


def titles_of(account: UUID) -> list[Title]:
    return [
        Title(
            "decks",
            game.slug,
            say("{bot} beaten with every ready-made side deck", bot=strongest(game).name),
        )
        for game in catalog.GAMES
        if game.needs_side_deck and _has_won_with_all(account, game)
    ]


def strongest(game: AnyGame) -> Bot[Any]:
    return max((bot for bot in game.bots if bot.rated), key=lambda bot: bot.level)


def _has_won_with_all(account: UUID, game: AnyGame) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_WON_WITH, [account, game.slug, strongest(game).slug])
        won = {tuple(row[0]) for row in cursor.fetchall()}
    return {tuple(sorted(deck)) for deck in ready_made()} <= won
