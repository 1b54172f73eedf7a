"""Company at a table: nobody comes to a table of people who have blocked them."""

from collections.abc import Iterable
from uuid import UUID

from accounts.social.selectors import who_blocked
from games.matches.models import Seat
from games.matches.seat_snapshot import SeatSnapshot


def is_kept_away(user: UUID, host: UUID, seats: Iterable[Seat | SeatSnapshot]) -> bool:
    """Whether the host or somebody at the table has blocked the user.

    They are not told so: to them the free seats look like seats that are kept for somebody.
    """
    people = {host, *(seat.user_id for seat in seats if seat.user_id is not None)} - {user}
    return bool(who_blocked(user, people))
