"""The result of checking a record as JSON."""

import msgspec


class VerificationResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """``round`` and ``move`` say where the fault lies: round number, index of the move in it."""

    valid: bool
    round: int | msgspec.UnsetType | None = msgspec.UNSET
    move: int | msgspec.UnsetType | None = msgspec.UNSET
    fault: str | msgspec.UnsetType = msgspec.UNSET
