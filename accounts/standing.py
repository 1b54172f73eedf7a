"""Whether an account may sign in and play, in words for operators.

Suspending is the one way to stop a person (`games.operations.people`); the column
``is_active`` follows from it. Accounts of erased people and of people imported in records are
closed for good.
"""

from typing import Final

from accounts.models import User
from accounts.names.shown_names import ERASED, IMPORTED

GIVEN: Final = (ERASED, IMPORTED)  # begin the usernames of accounts that are closed for good
CLOSED_SQL: Final = "NOT is_active AND ({names})".format(
    names=" OR ".join(f"username ^@ '{prefix}'" for prefix in GIVEN)
)


def is_nobodys(user: User) -> bool:
    """Whether it is of a person who was erased or imported, who has no results here.

    By the name alone anybody could say so who had taken such a name in time.
    """
    return not user.is_active and user.username.startswith(GIVEN)


def standing_of(user: User) -> str:
    """Reads the suspensions that were fetched with the user, if they were."""
    if is_nobodys(user) and user.username.startswith(ERASED):
        return "erased"
    suspended = next((one for one in user.suspensions.all() if one.lifted_at is None), None)
    if suspended is not None:
        return f"suspended {suspended}"
    if user.is_active:
        return "active"
    return "imported" if user.username.startswith(IMPORTED) else "closed"
