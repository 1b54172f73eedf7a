"""People, guests too, delete their own account: it is erased."""

from collections.abc import Callable

from accounts.audit.log import Actor
from accounts.models import User
from accounts.refusals import NotConfirmed, StaffStays, WrongPassword
from games.operations.people import people


def delete(*, user: User, typed: str, knows_password: Callable[[], bool]) -> None:
    """Erases an account at its own wish; this cannot be undone.

    ``typed`` has to be the username, and the password is asked for after that; a guest has none and
    may type the display name. Nobody of the staff leaves like this, so the last administrator does
    not either. Raises ``StaffStays``, ``NotConfirmed`` or ``WrongPassword``.
    """
    if user.is_staff or user.is_superuser:
        raise StaffStays
    names = {user.username, user.display_name} if user.is_guest else {user.username}
    if typed.strip().casefold() not in {name.casefold() for name in names}:
        raise NotConfirmed
    if not user.is_guest and not knows_password():
        raise WrongPassword
    people.erase(user_id=user.pk, by=Actor(user.pk, "the person", "At their own wish."))
