"""Which display names are allowed: printable ones that are not mistaken for another's."""

import unicodedata
from functools import cache
from typing import Final

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext

from accounts.models import DISPLAY_NAME_LENGTH, User
from accounts.names.bot_sign import has_sign
from accounts.skeleton import is_unseen, letters_read_twice, skeleton
from config.offers import offered

EMOJI_STYLE: Final = "\ufe0f"  # after a sign that is to be drawn in colours; keyboards add it
RESERVED: Final = frozenset(
    {"admin", "administrator", "moderator", "operator", "referee", "root", "staff", "support"}
    | {"system", "cardroom", "bot", "computer", "you", "deleted player"}
)
HOUSE: Final = "cardroom"  # stands in no name of a person: all that begins so is the house's
IMPORTED: Final = "imported-"  # begins the usernames of people from other installations
ERASED: Final = "deleted-"  # begins the usernames of people who were erased
LETTER_FOR: Final = str.maketrans("34578@$", "eastbas")


def shown_name(name: str) -> str:
    """The name in NFC and with single spaces. Raises ValidationError."""
    shown = " ".join(unicodedata.normalize("NFC", name).replace(EMOJI_STYLE, "").split())
    if not 1 <= len(shown) <= DISPLAY_NAME_LENGTH:
        raise ValidationError(
            gettext("A display name has 1 to {n} characters.").format(n=DISPLAY_NAME_LENGTH)
        )
    if not shown.isprintable() or any(map(is_unseen, shown)):
        raise ValidationError(gettext("A display name has printable characters only."))
    return shown


def check_imitation(name: str, user: User) -> None:
    """Raises ValidationError for a name that looks like the house's or another account's.

    Names of guests are not kept for them.
    """
    for letter in letters_read_twice().intersection(unicodedata.normalize("NFC", name)):
        sentence = gettext("{letter} is taken for other letters. Choose a name without it.")
        raise ValidationError(sentence.format(letter=letter))
    if not user.is_staff:
        check_not_reserved(name)
    others = User.objects.exclude(pk=user.pk).filter(is_guest=False)
    same = Q(display_name__iexact=name) | Q(username__iexact=name) | Q(name_skeleton=skeleton(name))
    if others.filter(same).exists():
        raise ValidationError(gettext("Another player has this name."))


def check_not_reserved(name: str) -> None:
    """Raises ValidationError for a name that looks like one of the house's."""
    if has_sign(name):
        raise ValidationError(gettext("A name that ends in BOT is kept for bot accounts."))
    if is_reserved(name):
        raise ValidationError(gettext("This name is kept for those who run the place."))


def is_reserved(name: str) -> bool:
    """Whether it looks like a name of the house, also with digits and signs read as letters."""
    words = {_word(name), _word(skeleton(name).translate(LETTER_FOR))}
    return bool(words & _reserved()) or any(_word(HOUSE) in word for word in words)


def is_reserved_username(username: str) -> bool:
    """Also one that begins as those that the house gives."""
    first, dash, _ = username.partition("-")
    begins = {_word(one) for one in (IMPORTED, ERASED)}
    return is_reserved(username) or (bool(dash) and _word(first) in begins)


@cache
def _reserved() -> frozenset[str]:
    houses = {name for names in offered("house_names") for name in names()}
    return frozenset(_word(name) for name in RESERVED | houses)


def _word(name: str) -> str:
    """A name without all that is neither letter nor digit; ``strong searcher`` is one word."""
    return "".join(filter(str.isalnum, skeleton(name)))
