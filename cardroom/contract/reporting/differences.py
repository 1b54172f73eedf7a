"""In which fields two values differ, so that a failing test names them."""

from itertools import zip_longest
from typing import Any

import msgspec


def differences(one: Any, other: Any, at: str = "") -> list[str]:
    """``hands[1][0]: 7 is not 8``, a line for each field; none when the values are equal."""
    one, other = msgspec.to_builtins(one), msgspec.to_builtins(other)
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = [(f"{at}.{name}".lstrip("."), name) for name in one | other]
        parts = [differences(one.get(name), other.get(name), path) for path, name in pairs]
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple):
        longer = zip_longest(one, other)
        parts = [differences(*pair, f"{at}[{n}]") for n, pair in enumerate(longer)]
    else:
        parts = [[] if one == other else [f"{at}: {one!r} is not {other!r}".lstrip(": ")]]
    return [line for lines in parts for line in lines]
