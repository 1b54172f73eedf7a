"""Whether an account may sign in and play, in words for operators.

Suspending is the one way to stop a person (`games.operations.people.people`); the column
``is_active`` follows from it. Accounts of erased people and of people imported in records are
closed for good.
"""

from typing import Final

from accounts.models import User
from accounts.services.people import IMPORTED

ERASED: Final = "deleted-"  # begins the usernames of people who were erased


def standing_of(user: User) -> str:
    """Reads the suspensions that were fetched with the user, if they were."""
    if user.username.startswith(ERASED):
        return "erased"
    suspended = next((one for one in user.suspensions.all() if one.lifted_at is None), None)
    if suspended is not None:
        return f"suspended {suspended}"
    if user.is_active:
        return "active"
    return "imported" if user.username.startswith(IMPORTED) else "closed"
