"""The sign of a bot account: the last word of its name, which nobody else's name ends in.

So it stands wherever the name stands: at tables, in lists, records, mails, and in every client.
"""

from typing import Final

from accounts.models import DISPLAY_NAME_LENGTH
from accounts.skeleton import skeleton

SIGN: Final = "BOT"


def has_sign(name: str) -> bool:
    """Also in letters that look like it."""
    words = name.split()
    return len(words) > 1 and skeleton(words[-1]) == skeleton(SIGN)


def signed(name: str) -> str:
    """The name of a bot account; what is too long is cut before the sign."""
    if has_sign(name):
        name = " ".join(name.split()[:-1])
    return f"{name[: DISPLAY_NAME_LENGTH - len(SIGN) - 1].rstrip()} {SIGN}"
