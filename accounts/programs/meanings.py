"""What each scope allows, in the words of the page on which a person consents."""

from collections.abc import Collection
from typing import Final, NamedTuple

from django.utils.translation import gettext, gettext_noop

from config.api.scopes import SCOPES, Scope

SENTENCES: Final[dict[Scope, str]] = {
    "play": gettext_noop(
        "Play as you: open, join, play and resign matches, answer invitations, run simulations."
    ),
    "decks": gettext_noop("Save, change and delete your side decks."),
    "read": gettext_noop(
        "See what you may see: your matches with your own hand, your decks and your results."
    ),
    "account": gettext_noop(
        "Change your account: your name and settings, friends and blocks. See and revoke your keys "
        "and download all your data. Your password stays unknown to it."
    ),
}


class Meaning(NamedTuple):
    scope: Scope
    sentence: str


def meanings(scopes: Collection[str]) -> list[Meaning]:
    """In the order of the scopes, in the reader's language."""
    return [Meaning(one, gettext(SENTENCES[one])) for one in SCOPES if one in scopes]
