"""The first page of the app, which is the same for everybody, and what other apps share with it."""

import re
from typing import Final
from urllib.parse import urlencode, urlsplit
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from decks.share_codes import BadCode, decode
from games.matches.selectors.access import SERVICE, find_match

SHARED: Final = ("url", "text", "title")
MOST: Final = 2000
ADDRESS: Final = re.compile(r"https?://[^\s<>\"']+")
ID: Final = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
MATCH: Final = re.compile(rf"(?:/api/v1)?(/matches/{ID})")
# The name of a record's file, or the line of a record that names its match (FORMAT.md §3).
RECORD: Final = re.compile(rf'\b({ID})\.cardroom\.json\b|"match"\s*:\s*"({ID})"')
# Looked ahead, so that the word before a code does not swallow half of it.
DECK: Final = re.compile(r"\b(?=([0-9A-Za-z]{4}[- ]?[0-9A-Za-z]{4})\b)")


@require_safe
def shell(request: HttpRequest) -> HttpResponse:
    """Kept by the worker: it holds nothing of a person, so no cookie is read for it."""
    return render(request, "games/app/shell.html")


@require_safe
def share(request: HttpRequest) -> HttpResponse:
    """A link to a page of ours, a record or the code of a side deck, in what is shared."""
    words = [request.GET.get(name, "")[:MOST] for name in SHARED]
    for text in words:
        target = page_in(text, request.get_host()) or record_in(text, request.user.pk)
        target = target or deck_in(text)
        if target is not None:
            return redirect(target)
    messages.error(
        request, gettext("Nothing in this opens here: no match, no record and no side deck.")
    )
    return redirect("landing")


def page_in(text: str, host: str) -> str | None:
    """The path of a match or of a deck's code, of this site only."""
    for address in ADDRESS.findall(text):
        parts = urlsplit(address)
        if parts.netloc == host:
            match = MATCH.match(parts.path)
            return match[1] if match else deck_in(parts.query)
    return None


def record_in(text: str, reader: UUID | None) -> str | None:
    """The page of the match of a record, if it was played here and this reader may see it."""
    named = RECORD.search(text)
    access = find_match(UUID(named[1] or named[2]), SERVICE) if named else None
    if access is None or not access.match.is_visible_to(reader):
        return None
    return reverse("table", args=[access.match.id])


def deck_in(text: str) -> str | None:
    """The form of a new deck with the code filled in; parts of a match's id look like codes."""
    for code in DECK.finditer(re.sub(ID, " ", text)):
        try:
            decode(code[1])
        except BadCode:
            continue
        return f"{reverse('deck_new')}?{urlencode({'code': code[1]})}"
    return None
