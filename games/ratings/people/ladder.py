"""The ladder of a game: its computers from the weakest to the strongest, and who got how far."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.text import say
from games.people.models import Tally
from games.people.profiles import Score
from games.people.titles import Title
from games.ratings.boards import rated_games
from games.ratings.models import BotRating
from games.ratings.selectors import ratings_of


class Rung(NamedTuple):
    """A computer, its rating, and the reader's results against it alone."""

    bot: Bot[Any]
    rating: BotRating | None
    score: Score

    @property
    def is_beaten(self) -> bool:
        return self.score.won > 0


def ladder(game: AnyGame, account: UUID | None) -> list[Rung]:
    ratings, scores = ratings_of(game.slug), _scores(game, account)
    rungs = [
        Rung(bot, ratings.get(bot.slug), scores.get(bot.slug, Score()))
        for bot in game.bots
        if bot.rated
    ]
    return sorted(
        rungs, key=lambda rung: (rung.bot.level, rung.rating.rating if rung.rating else 0)
    )


def titles_of(account: UUID) -> list[Title]:
    """One for each ladder that is finished; luck has none."""
    rows = Tally.objects.filter(account=account, won__gt=0).values_list("game", "bot")
    beaten: dict[str, set[str]] = {}
    for slug, bot in rows:
        beaten.setdefault(slug, set()).add(bot)
    return [
        Title("ladder", game.slug, say("Ladder of {game} finished", game=game.name))
        for game in rated_games()
        if game.slug in beaten and {bot.slug for bot in game.bots if bot.rated} <= beaten[game.slug]
    ]


def _height(rung: Rung) -> tuple[int, float]:
    return rung.bot.level, rung.rating.rating if rung.rating else 0.0


def is_finished(rungs: list[Rung]) -> bool:
    return bool(rungs) and all(rung.is_beaten for rung in rungs)


def _scores(game: AnyGame, account: UUID | None) -> Mapping[str, Score]:
    if account is None:
        return {}
    rows = Tally.objects.filter(account=account, game=game.slug)
    return {row.bot: Score().plus(row) for row in rows}
