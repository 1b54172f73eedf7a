"""What a game calls its rounds, in the sentences of a page: a deal, a game, a round."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from cardroom.rules.game import RoundName
from games.absent import NEWEST, rules_of

Lazy = str | Promise


@dataclass(frozen=True)
class RoundWords:
    """``numbered`` has a ``%(number)s`` in them; it is empty where a match has one round only."""

    name: Lazy
    plural: Lazy
    numbered: Lazy
    following: Lazy
    every: Lazy
    saves: Lazy
    loading: Lazy
    still_there: Lazy


_WORDS: Final[Mapping[RoundName, RoundWords]] = {
    "deal": RoundWords(
        name=_("Deal"),
        plural=_("Deals"),
        numbered=_("deal %(number)s"),
        following=_("Next deal"),
        every=_("Every deal"),
        saves=_("Saves: continue from an earlier deal"),
        loading=_("Loading opens a new match at the beginning of that deal."),
        still_there=_("An earlier deal can still be loaded as a new match."),
    ),
    "game": RoundWords(
        name=_("Game"),
        plural=_("Games"),
        numbered=_("game %(number)s"),
        following=_("Next game"),
        every=_("Every game"),
        saves=_("Saves: continue from an earlier game"),
        loading=_("Loading opens a new match at the beginning of that game."),
        still_there=_("An earlier game can still be loaded as a new match."),
    ),
    "match": RoundWords(
        name=_("Match"),
        plural="",
        numbered="",
        following=_("Next match"),
        every=_("Every match"),
        saves=_("Saves: play from the beginning again"),
        loading=_("Loading opens a new match at the beginning of this one."),
        still_there=_("Its beginning can still be loaded as a new match."),
    ),
    "round": RoundWords(
        name=_("Round"),
        plural=_("Rounds"),
        numbered=_("round %(number)s"),
        following=_("Next round"),
        every=_("Every round"),
        saves=_("Saves: continue from an earlier round"),
        loading=_("Loading opens a new match at the beginning of that round."),
        still_there=_("An earlier round can still be loaded as a new match."),
    ),
}


def words_for(slug: str) -> RoundWords:
    return _WORDS[rules_of(slug, NEWEST).round_name]


def numbered(slug: str, number: int) -> str:
    """*deal 3*; empty where a match has one round only."""
    return str(words_for(slug).numbered) % {"number": number}


def heading(slug: str, number: int) -> str:
    """*Deal 3*; *Match* where it has one round only."""
    return capfirst(numbered(slug, number)) or str(words_for(slug).name)
