"""Values that stand in the statement itself.

A prepared plan does not know its parameters, so no index with a condition on them serves it.
"""

from typing import Final

from django.db.models import CharField, Func

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz_"


def literal(text: str) -> Func:
    """A name of ours, of small letters; anything else is a ``ValueError``."""
    if not text or text.strip(_LETTERS):
        raise ValueError(text)
    return Func(template=f"'{text}'", output_field=CharField())
