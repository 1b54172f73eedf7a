"""What a game calls its rounds, in the sentences of a page: a deal, a game, a round."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rules.catalog import find
from games.rules.game import RoundName

Lazy = str | Promise


@dataclass(frozen=True)
class RoundWords:
    """``numbered`` has a ``%(number)s`` in them."""

    name: Lazy
    numbered: Lazy
    following: Lazy
    every: Lazy


_WORDS: Final[Mapping[RoundName, RoundWords]] = {
    "deal": RoundWords(_("Deal"), _("deal %(number)s"), _("Next deal"), _("Every deal")),
    "game": RoundWords(_("Game"), _("game %(number)s"), _("Next game"), _("Every game")),
    "match": RoundWords(_("Match"), "", _("Next match"), _("Every match")),
    "round": RoundWords(_("Round"), _("round %(number)s"), _("Next round"), _("Every round")),
}


def words_for(slug: str) -> RoundWords:
    return _WORDS[find(slug).round_name]


def numbered(slug: str, number: int) -> str:
    """*deal 3*; empty where a match has one round only."""
    return str(words_for(slug).numbered) % {"number": number}
