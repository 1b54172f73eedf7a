"""The title for a player who did in a deal of the day what its terms name."""

from uuid import UUID

from games.daily.models import Entry
from games.daily.terms import games_of_the_day
from games.people.titles import Title


def titles_of(account: UUID) -> list[Title]:
    """From the day on when the deal is revealed."""
    games = set(
        Entry.objects.filter(account=account, has_feat=True)
        .order_by()
        .values_list("daily__game", flat=True)
    )
    return [
        Title("daily", game.slug, terms.feat.words)
        for game, terms in games_of_the_day()
        if game.slug in games and terms.feat is not None
    ]
