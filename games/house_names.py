"""What the house calls others than people, in every language: no person goes by such a name."""

from collections.abc import Iterator
from typing import Final

from django.conf import settings
from django.utils.translation import gettext, gettext_noop, override

from cardroom.rules import catalog

HIDDEN: Final = gettext_noop("Hidden player")  # of whom a reader may not know the name


def house_names() -> Iterator[str]:
    """The bots by slug and name, and what pages call the computer, their reader and who hides."""
    bots = [bot for game in catalog.GAMES for bot in game.bots]
    yield from (bot.slug for bot in bots)
    for code, _ in settings.LANGUAGES:
        with override(code):
            yield from (gettext(bot.name) for bot in bots)
            yield from (gettext("You"), gettext("Computer"), gettext(HIDDEN))
