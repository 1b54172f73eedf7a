"""Generated names for guests: pleasant to read; the same username is unlikely to come twice.

The username is English and plain; the name at the table is in the guest's own language.
"""

import secrets
from typing import Final

from accounts.names.guest_words import ANIMALS, FEMININE, MOODS, OTHERS

LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"  # without letters that look alike
FEMININE_ENDINGS: Final = {"ый": "ая", "ий": "ая", "ой": "ая", "ý": "á"}


def guest_name(language: str = "en") -> tuple[str, str]:
    """A username and a display name: `brave-otter-x7k2p`, `Brave Otter`; in Turkish `Cesur …`."""
    mood, animal = secrets.choice([*MOODS]), secrets.choice([*ANIMALS])
    ending = "".join(secrets.choice(LETTERS) for _ in range(5))
    return f"{mood}-{animal}-{ending}", name_of(mood, animal, language)


def is_generated(username: str, display_name: str) -> bool:
    """Whether the display name is still the one that was generated with the username."""
    mood, animal, *_ = (*username.split("-"), "", "")
    if mood not in MOODS or animal not in ANIMALS:
        return False
    return display_name in {name_of(mood, animal, language) for language in ("en", *OTHERS)}


def name_of(mood: str, animal: str, language: str) -> str:
    """The two words as a name in a language; in English where it has no words of its own."""
    if language not in OTHERS:
        return f"{mood} {animal}".title()
    at = OTHERS.index(language)
    shown = MOODS[mood][at]
    if animal in FEMININE[language]:
        shown = _feminine(shown)
    return f"{shown} {ANIMALS[animal][at]}"


def _feminine(mood: str) -> str:
    """Храбрый выдра is Храбрая Выдра; a Czech mood in -í has one ending for both."""
    for ending, other in FEMININE_ENDINGS.items():
        if mood.endswith(ending):
            return mood.removesuffix(ending) + other
    return mood
