"""Identifiers that sort by the time they were made (RFC 9562, version 7).

Python has them from 3.14 on; until then ten lines replace a dependency. The twelve bits
after the millisecond hold its fraction (RFC 9562 §6.2, method 3), so rows made in one burst keep
their order; the last 62 bits are random, so identifiers cannot be guessed.
"""

import secrets
import time
from datetime import datetime
from uuid import UUID

NS_PER_MS = 1_000_000


def uuid7() -> UUID:
    milliseconds, rest = divmod(time.time_ns(), NS_PER_MS)
    fraction = rest * 4096 // NS_PER_MS
    time_and_version = milliseconds << 16 | 7 << 12 | fraction
    variant_and_random = 2 << 62 | secrets.randbits(62)
    return UUID(int=time_and_version << 64 | variant_and_random)


def least_uuid7(made_at: datetime) -> UUID:
    """The least identifier that can be made at this time or later."""
    return UUID(int=(int(made_at.timestamp() * 1000) << 80) | 7 << 76 | 2 << 62)
