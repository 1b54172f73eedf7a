"""What a challenge asks for, and how it is shown to those whom it concerns. Values only."""

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, Literal
from uuid import UUID

import msgspec

from games.matches.time_bank import Clock

SHORTEST: Final = 30  # seconds
LONGEST: Final = 7 * 24 * 3600
USUAL: Final = 24 * 3600

Status = Literal["waiting", "accepted", "declined", "withdrawn", "expired"]
Reason = Literal["game", "time", "busy", "generic"]


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """``username`` or ``bot`` is challenged; ``seat`` is that of the challenger, by lot without.

    ``computers`` names the bot that plays the seats beyond two. ``pace`` is one of the lobby's, a
    ``clock`` takes its place; without both there is no limit. ``rated``: ``None`` where it can be.
    """

    game: str
    username: str | None = None
    bot: str | None = None
    preset: str | None = None
    options: Mapping[str, Any] | None = None
    seats: int | None = None
    seat: int | None = None
    computers: str | None = None
    pace: str | None = None
    clock: Clock | None = None
    rated: bool | None = None
    mirrored: bool = False
    visibility: str = "unlisted"
    expires_in: int = USUAL

    @property
    def digest(self) -> str:
        """The same for the same terms."""
        return sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()


class ChallengeParty(msgspec.Struct, frozen=True):
    """A person by account, or a computer of the house, which has no ``username``."""

    username: str | None
    name: str


class ChallengeTerms(msgspec.Struct, frozen=True):
    """A challenge with its full terms; ``id`` is that of its match, too.

    ``options`` are all options of the game as they are played. ``seat`` is the challenger's,
    ``challenged_seat`` the other one's. ``reason`` is why it was declined.
    """

    id: UUID
    status: Status
    challenger: ChallengeParty
    challenged: ChallengeParty
    game: str
    options: dict[str, Any]
    seats: int
    seat: int
    challenged_seat: int
    turn_seconds: int | None
    clock: Clock | None
    rated: bool
    mirrored: bool
    visibility: Literal["public", "unlisted", "private"]
    created_at: datetime
    expires_at: datetime | None
    reason: Reason | None
