"""The account that opens the matches of tournaments, so that no player is host of one.

A host could call a match off, or give it other terms. Nobody can sign in to it. It is known by a
flag: whoever has its name is nobody to it.
"""

import secrets
from collections.abc import Iterator
from typing import Final

from accounts.models import User

USERNAME: Final = "cardroom-tournaments"
DISPLAY_NAME: Final = "Cardroom"


def house() -> User:
    """Made where it is missing, under another name if a person has this one."""
    known = User.objects.filter(is_house=True).first()
    for name in _names() if known is None else ():
        user = User(username=name, display_name=DISPLAY_NAME, is_house=True)
        user.set_unusable_password()
        User.objects.bulk_create([user], ignore_conflicts=True)  # past save(): it keeps no name
        known = User.objects.filter(is_house=True).first()
        if known is not None:
            break
    assert known is not None  # noqa: S101 - no two people have such a name
    return known


def _names() -> Iterator[str]:
    yield USERNAME
    yield f"{USERNAME}-{secrets.token_hex(4)}"
