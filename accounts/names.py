"""What a name may look like, and whose name it must not be taken for."""

import unicodedata
from typing import Final

from django.core.exceptions import ValidationError
from django.db.models import Q

from accounts.models import DISPLAY_NAME_LENGTH, User

BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # printable, but nothing is seen
RESERVED: Final = frozenset(
    {"admin", "administrator", "moderator", "operator", "referee", "root", "staff", "support"}
    | {"system", "cardroom"}
)
# Letters that are drawn like a Latin one; digits that are read as one.
ALIKE: Final = str.maketrans("асеіјорѕхуӏαεικορυ013457@$|!", "aceijopsxylaeikopuoleastasll")


def shown_name(name: str) -> str:
    """The name in NFC and with single spaces. Raises ValidationError."""
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(shown) <= DISPLAY_NAME_LENGTH:
        raise ValidationError(f"A display name has 1 to {DISPLAY_NAME_LENGTH} characters.")
    if not shown.isprintable() or BLANKS & set(shown):
        raise ValidationError("A display name has printable characters only.")
    return shown


def check_imitation(name: str, user: User) -> None:
    """Raises ValidationError for the name of the house or of another registered account."""
    if not user.is_staff and is_reserved(name):
        raise ValidationError("This name is kept for those who run the place.")
    others = User.objects.exclude(pk=user.pk).filter(is_guest=False)
    if others.filter(Q(display_name__iexact=name) | Q(username__iexact=name)).exists():
        raise ValidationError("Another player has this name.")


def is_reserved(name: str) -> bool:
    return _skeleton(name) in {_skeleton(word) for word in RESERVED}


def _skeleton(name: str) -> str:
    """What is left to the eye: no case, accents, spaces, and one letter for those drawn alike."""
    plain = unicodedata.normalize("NFKD", name).casefold().translate(ALIKE)
    letters = unicodedata.normalize("NFKD", plain)
    return "".join(one for one in letters if one.isalnum()).replace("i", "l")
