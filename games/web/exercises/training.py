"""What a reader trains: a game, one of its themes, or the own mistakes; kept in addresses."""

from dataclasses import dataclass

from django.http import HttpRequest

from cardroom.rules.theme import Theme
from games.exercises.selectors import games_with_exercises


@dataclass(frozen=True)
class Training:
    """Empty strings: any game, any theme."""

    game: str = ""
    theme: str = ""
    mistakes: bool = False

    @property
    def query(self) -> dict[str, str]:
        named = {"game": self.game, "theme": self.theme, "mistakes": "1" if self.mistakes else ""}
        return {name: value for name, value in named.items() if value}

    @property
    def named_theme(self) -> Theme | None:
        named = (each for each in games_with_exercises() if each.slug == self.game)
        game = next(named, None)
        return game.themes.names.get(self.theme) if game and game.themes else None


def training_of(request: HttpRequest) -> Training:
    """What the address names; what it names wrongly is left out."""
    query = request.GET
    games = {game.slug: game for game in games_with_exercises()}
    game = query.get("game", "") if query.get("game") in games else ""
    themes = games[game].themes if game else None
    theme = query.get("theme", "")
    known = theme if themes is not None and theme in themes.names else ""
    return Training(game, known, query.get("mistakes") == "1")
