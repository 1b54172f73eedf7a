"""Scores and computers in words."""

from django.utils.translation import gettext as _

from cardroom.rules import catalog
from games.daily.models import DailyDeal
from games.language import words


def score_words(daily: DailyDeal, score: int) -> str:
    """*2 of 3 beaten*, *+12*."""
    if catalog.find(daily.game).points_are_places:
        return _("%(n)d of %(of)d beaten") % {"n": score, "of": len(daily.bots)}
    return f"{score:+d}".replace("-", "−")


def computers(daily: DailyDeal) -> list[str]:
    game = catalog.find(daily.game)
    return [words(game.bot(slug).name) for slug in daily.bots]


def computer_name(daily: DailyDeal, slug: str) -> str:
    return words(catalog.find(daily.game).bot(slug).name)
