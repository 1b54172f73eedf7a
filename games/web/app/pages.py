"""The first page of the app, which is the same for everybody, and what other apps share with it."""

import re
from typing import Final
from urllib.parse import urlencode, urlsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from decks.share_codes import BadCode, decode

SHARED: Final = ("url", "text", "title")
MOST: Final = 2000
ADDRESS: Final = re.compile(r"https?://[^\s<>\"']+")
MATCH: Final = re.compile(r"/matches/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Looked ahead, so that the word before a code does not swallow half of it.
DECK: Final = re.compile(r"\b(?=([0-9A-Za-z]{4}[- ]?[0-9A-Za-z]{4})\b)")


@require_safe
def shell(request: HttpRequest) -> HttpResponse:
    """Kept by the worker: it holds nothing of a person, so no cookie is read for it."""
    return render(request, "games/app/shell.html")


@require_safe
def share(request: HttpRequest) -> HttpResponse:
    """A link to a page of ours, or the code of a side deck, somewhere in what is shared."""
    words = [request.GET.get(name, "")[:MOST] for name in SHARED]
    for text in words:
        found = page_in(text, request.get_host()) or deck_in(text)
        if found is not None:
            return redirect(found)
    messages.error(request, gettext("Nothing in this opens here: no match and no side deck."))
    return redirect("landing")


def page_in(text: str, host: str) -> str | None:
    """The path of a match or of a deck's code, of this site only."""
    for address in ADDRESS.findall(text):
        parts = urlsplit(address)
        if parts.netloc == host:
            match = MATCH.match(parts.path)
            return match[0] if match else deck_in(parts.query)
    return None


def deck_in(text: str) -> str | None:
    for code in DECK.finditer(text):
        try:
            decode(code[1])
        except BadCode:
            continue
        return f"{reverse('deck_new')}?{urlencode({'code': code[1]})}"
    return None
