"""A line for a beginner: what a card would do, in the first match of each game."""

from games.language import words
from games.matches.selectors.results import has_played_before
from games.web.parts.table_page import TablePage
from games.web.tables import GamePage


def coach_line(page: TablePage, game_page: GamePage) -> str:
    """Empty when there is nothing to say or the viewer knows the game."""
    if game_page.hint is None or not page.wants_hints or not page.is_your_turn or page.is_shared:
        return ""
    hint = game_page.hint(page.view)
    if hint is None or page.user is None:
        return ""
    match = page.match
    return "" if has_played_before(page.user, match.game, match.id) else words(hint)
