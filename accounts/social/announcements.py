"""Announces a block. An app that knows of invitations subscribes in ``AppConfig.ready``."""

from collections.abc import Callable
from uuid import UUID

# Called with the ids of the owner and the blocked account, in the transaction of the block.
subscribers: "list[Callable[[UUID, UUID], None]]" = []
