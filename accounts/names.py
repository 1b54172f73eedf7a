"""What a name may look like, and whose name it must not be taken for."""

import unicodedata
from typing import Final

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext

from accounts.models import DISPLAY_NAME_LENGTH, User
from accounts.skeleton import skeleton

BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # printable, but nothing is seen
RESERVED: Final = frozenset(
    {"admin", "administrator", "moderator", "operator", "referee", "root", "staff", "support"}
    | {"system", "cardroom"}
)
LETTER_FOR: Final = str.maketrans("34578@$", "eastbas")


def shown_name(name: str) -> str:
    """The name in NFC and with single spaces. Raises ValidationError."""
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(shown) <= DISPLAY_NAME_LENGTH:
        raise ValidationError(
            gettext("A display name has 1 to {n} characters.").format(n=DISPLAY_NAME_LENGTH)
        )
    if not shown.isprintable() or BLANKS & set(shown):
        raise ValidationError(gettext("A display name has printable characters only."))
    return shown


def check_imitation(name: str, user: User) -> None:
    """Raises ValidationError for a name that looks like the house's or another account's.

    Names of guests are not kept for them.
    """
    if not user.is_staff and is_reserved(name):
        raise ValidationError(gettext("This name is kept for those who run the place."))
    others = User.objects.exclude(pk=user.pk).filter(is_guest=False)
    same = Q(display_name__iexact=name) | Q(username__iexact=name) | Q(name_skeleton=skeleton(name))
    if others.filter(same).exists():
        raise ValidationError(gettext("Another player has this name."))


def is_reserved(name: str) -> bool:
    """Whether it looks like one of RESERVED, digits and signs read as letters."""
    letters = skeleton(name).translate(LETTER_FOR)
    return "".join(filter(str.isalnum, letters)) in {skeleton(word) for word in RESERVED}
