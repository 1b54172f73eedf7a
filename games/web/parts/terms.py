"""How a match is played, in a few words: what is not as usual, and how long a move may take."""

from typing import Final

from django.utils.translation import gettext

from games.language import words
from games.lobby.paces import PACES
from games.rules.game import AnyGame
from games.rules.values import Options
from games.web.parts.options_form import chosen

OPTIONS_SHOWN: Final = 6
_PACES: Final = {pace.turn_seconds: pace.name for pace in PACES}


def rules_in_words(game: AnyGame, options: Options) -> list[str]:
    """*Points to win: 51*, of what is not as usual."""
    changed = [each for each in chosen(game, options) if each.is_changed]
    return [f"{each.label}: {each.value}" for each in changed[:OPTIONS_SHOWN]]


def pace_in_words(turn_seconds: int | None) -> str:
    if turn_seconds is None:
        return gettext("no limit for a move")
    if turn_seconds in _PACES:
        return words(_PACES[turn_seconds])
    return gettext("{n} seconds for a move").format(n=turn_seconds)
