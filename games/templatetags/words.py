"""Small words in templates: counts, places in lists, how long ago."""

from typing import Any

from django import template

register = template.Library()


@register.filter
def at(values: Any, index: Any) -> Any:
    """``{{ totals|at:seat }}``: one item of a list or a mapping; nothing if there is none."""
    try:
        return values[index]
    except (LookupError, TypeError):
        return None


@register.filter
def count_of(number: int, thing: str) -> str:
    """``{{ 1|count_of:"card" }}`` is *1 card*, of two *2 cards*."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


@register.filter
def roughly(span: str) -> str:
    """The first part of what ``timesince`` says: *3 hours* of *3 hours, 12 minutes*."""
    return span.split(",", maxsplit=1)[0]


@register.filter
def percent(share: float) -> str:
    """A share of 1 in per cent with one digit."""
    return f"{share * 100:.1f}"
