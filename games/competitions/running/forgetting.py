"""What an erasure leaves of a person: the boards that they played, under no name."""

from uuid import UUID

from games.competitions.models import Entrant, Tournament


def forget(account: UUID) -> None:
    """Their boards count for the others. What had not begun forgets them."""
    own = Entrant.objects.filter(account=account)
    own.filter(number=None).delete()
    own.filter(state=Entrant.State.JOINED).update(state=Entrant.State.WITHDRAWN)
    held = Tournament.objects.filter(creator=account)
    held.update(creator=None, key=None)
