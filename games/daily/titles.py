"""The title for a player who did in a deal of the day what its terms name."""

from uuid import UUID

from cardroom.rules import catalog
from games.daily.models import Entry
from games.daily.terms import TERMS
from games.people.titles import Title


def titles_of(account: UUID) -> list[Title]:
    """From the day on when the deal is revealed."""
    games = set(
        Entry.objects.filter(account=account, has_feat=True)
        .order_by()
        .values_list("daily__game", flat=True)
    )
    return [
        Title("daily", game.slug, feat.words)
        for game in catalog.GAMES
        if game.slug in games and (feat := TERMS[game.slug].feat) is not None
    ]
