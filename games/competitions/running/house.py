"""The account that opens the matches of tournaments, so that no player is host of one.

A host could call a match off, or give it other terms. Nobody can sign in to it.
"""

from typing import Final

from accounts.models import User

USERNAME: Final = "cardroom-tournaments"


def house() -> User:
    known = User.objects.filter(username=USERNAME).first()
    if known is not None:
        return known
    user = User(username=USERNAME, display_name="Cardroom")
    user.set_unusable_password()
    User.objects.bulk_create([user], ignore_conflicts=True)  # past save(): it keeps no name
    return User.objects.get(username=USERNAME)
