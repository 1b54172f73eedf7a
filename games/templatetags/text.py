"""Small words in templates: places in lists, moments, how long ago."""

from datetime import datetime
from typing import Any, Final

from django import template
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince, timeuntil
from django.utils.translation import get_language, gettext

from games.language import LETTERS, has_letters, letters, words

register = template.Library()
register.filter("in_words", words)

TO_THE_SECOND: Final = 600  # below this time a clock shows seconds


@register.filter
def at(values: Any, index: Any) -> Any:
    """``{{ totals|at:seat }}``: one item of a list or a mapping; nothing if there is none."""
    try:
        return values[index]
    except (LookupError, TypeError):
        return None


@register.filter
def ago(moment: datetime) -> str:
    """*3 hours ago*, *just now*."""
    span = timesince(moment).split(",", maxsplit=1)[0]
    if span.startswith("0"):
        return gettext("just now")
    return gettext("{span} ago").format(span=span)


@register.filter
def moment(at: datetime) -> SafeString:
    """A moment in the current time zone, which is named; a script shows the time of the device."""
    local = timezone.localtime(at)
    shown = date_format(local, "DATETIME_FORMAT")
    return format_html(
        '<time datetime="{}" data-local>{} ({})</time>', local.isoformat(), shown, local.tzinfo
    )


@register.simple_tag
def card_letters() -> dict[str, str]:
    """The switch of letters on cards: what it sends and says; empty where there is no choice."""
    if not has_letters():
        return {}
    if letters():
        return {"value": "international", "shown": "J Q K A"}
    own = LETTERS[get_language() or ""]
    return {"value": "local", "shown": " ".join(own.values())}


@register.filter
def time_left(moment: datetime) -> str:
    """*4:32* below ten minutes, else in words: *2 hours*."""
    seconds = max(0, round((moment - timezone.now()).total_seconds()))
    return f"{seconds // 60}:{seconds % 60:02}" if seconds < TO_THE_SECOND else timeuntil(moment)


@register.filter
def percent(share: float) -> str:
    """A share of 1 in per cent with one digit."""
    return number_format(share * 100, 1)
