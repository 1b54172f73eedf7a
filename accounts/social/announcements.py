"""What a block announces. An app that knows of invitations adds itself in ``AppConfig.ready``."""

from collections.abc import Callable
from uuid import UUID

# Called with the ids of who blocks and who is blocked, in the transaction that writes the block.
subscribers: "list[Callable[[UUID, UUID], None]]" = []
