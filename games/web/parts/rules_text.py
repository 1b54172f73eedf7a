"""The rules of a game as text: the specification in English, else what the page says."""

import re
from html import unescape
from typing import Final

from django.utils.html import strip_tags

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from games.language import words

_MAIN: Final = re.compile(r"<main.*?>(.*)</main>", re.DOTALL)
_NOT_READ: Final = re.compile(r"<form.*?</form>|<p class=\"example\">.*?</p>", re.DOTALL)
_BEGINNINGS: Final = {
    "h1": "\n# ",
    "h2": "\n## ",
    "h3": "\n### ",
    "li": "\n- ",
    "p": "\n",
    "td": ": ",
}
_TAG: Final = re.compile(r"<(h1|h2|h3|li|p|td)\b[^>]*>")


def specification(game: AnyGame) -> str:
    """As it lies beside the code; without one the summary."""
    file = catalog.folder(game.slug) / "RULES.md"
    return file.read_text("utf-8") if file.exists() else f"{game.name}\n\n{game.summary}\n"


def text_of(page: str, game: AnyGame) -> str:
    """What a page of rules says, without its forms; without a page the summary."""
    main = _MAIN.search(page)
    if main is None:
        return f"{words(game.name)}\n\n{words(game.summary)}\n"
    body = _TAG.sub(lambda tag: _BEGINNINGS[tag[1]], _NOT_READ.sub("", main[1]))
    lines = (" ".join(line.split()) for line in unescape(strip_tags(body)).splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"
