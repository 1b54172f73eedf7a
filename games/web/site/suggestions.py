"""The rival to play next: by the reader's own results, the easiest computer first."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _

from cardroom.rules.bot import Bot, levels
from cardroom.rules.game import AnyGame
from games.matches.selectors.results import Result, results_against_bots

AT_ONCE: Final = 1.0  # the most seconds for a move of a computer that is suggested
LAST: Final = 3  # matches that count
WINS: Final = 2  # of them lead to the next level


def rival_of(user: UUID | None, game: AnyGame) -> Bot[Any]:
    """The computer that a reader meets next in this game; nobody's results are no results."""
    return rival_for(game, results_against_bots(user, game.slug) if user else [])


def rival_for(game: AnyGame, results: Sequence[Result]) -> Bot[Any]:
    """The computer to play next; ``results`` are those of this game, newest first."""
    ladder = levels(game.bots, AT_ONCE) or [game.bot(game.stand_in)]
    known = [bot.slug for bot in ladder]
    played = [result for result in results if result.bot in known]
    if not played:
        return ladder[0]
    at = known.index(played[0].bot)
    return ladder[min(max(at + _step(played), 0), len(ladder) - 1)]


def _step(played: Sequence[Result]) -> int:
    """One level up, one down or none, by the last matches against the newest rival."""
    last = [result.won for result in played if result.bot == played[0].bot][:LAST]
    if sum(last) >= WINS:
        return 1
    return -1 if len(last) == LAST and not any(last) else 0


def suggestion(game: AnyGame, results: Sequence[Result]) -> str:
    """*2 of 3 against Rookie: try Gambler*; empty before the first match."""
    known = {bot.slug: bot for bot in levels(game.bots, AT_ONCE)}
    played = [result for result in results if result.bot in known]
    if not played:
        return ""
    last = [result.won for result in played if result.bot == played[0].bot][:LAST]
    bot, following = known[played[0].bot], rival_for(game, results)
    facts = {"won": sum(last), "played": len(last), "bot": bot.name, "next": following.name}
    if following.slug == bot.slug:
        return _("%(won)d of %(played)d won against %(bot)s") % facts
    return _("%(won)d of %(played)d won against %(bot)s: try %(next)s") % facts
