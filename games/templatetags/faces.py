"""Drawn faces, signs and pictures of games: ``{% face name kind seat %}``.

The same name has the same face everywhere, without a picture being kept or asked for anywhere. A
computer has the face of its strategy. Parts and computers are drawn by `tests/art/avatars.py`.
"""

from collections.abc import Hashable, Sequence
from datetime import datetime
from functools import cache, lru_cache
from hashlib import blake2s
from secrets import token_hex
from typing import Any, ClassVar, Final

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.base import FilterExpression, NodeList, Parser, Token, token_kwargs
from django.template.loader import select_template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from config import club
from games.language import wants_letters
from games.outside import or_else

register = template.Library()

COMPUTERS: Final = frozenset({
    "beginner", "rookie", "greedy", "counter", "searcher", "strong_searcher", "random", "gambler",
    "professor", "cheater", "lowest", "keeper", "automaton", "hoarder", "shuffler",
})  # fmt: skip
_UNNAMED_ROBOTS: Final = 3
_STYLES: Final = (  # what lies behind the head, what before it
    ("", "hair-0"), ("", "hair-1"), ("", "hair-3"), ("", "hair-4"), ("back-1", "hair-2"),
    ("back-1", "hair-1"), ("back-2", "hair-0"), ("back-3", "hair-2"), ("", "wears-4"),
    ("back-1", "wears-6"),
)  # fmt: skip
_RING: Final = (
    '<svg class="ring" viewBox="0 0 48 48" data-until="{}" data-seconds="{}">'
    '<circle class="ring-all" cx="24" cy="24" r="22"/>'
    '<circle class="ring-left" cx="24" cy="24" r="22" pathLength="100"/></svg>'
)
_LOOKS: Final = 4
_WEARS: Final = ("", "", "", "wears-1", "wears-2", "wears-3", "wears-5")
_SKINS, _HAIRS, _CLOTHES = 5, 6, 6


@register.simple_tag
def face(
    name: str,
    *,
    bot: str | None = None,
    seat: int | None = None,
    size: str = "",
    clock: datetime | None = None,
    seconds: int | None = None,
) -> SafeString:
    """A round face; ``bot`` names a strategy, ``seat`` gives the ground its colour.

    ``clock`` is when the seat's time is up and ``seconds`` how much it had: a ring tells.
    """
    ground = "" if seat is None else f"seat-{seat}"
    classes = " ".join(filter(None, ("face", ground, size)))
    ring = format_html(_RING, clock.isoformat(), seconds or 0) if clock else ""
    return format_html(
        '<span class="{}" aria-hidden="true">{}{}</span>', classes, drawn(name, bot), ring
    )


@lru_cache(maxsize=4096)
def drawn(name: str, bot: str | None) -> SafeString:
    colours, parts = computer_parts(bot) if bot else features(name)
    sprite = static("games/img/faces.svg")
    uses = format_html_join("", '<use href="{}#{}"/>', ((sprite, part) for part in parts))
    return format_html('<svg class="{}" viewBox="0 0 48 48">{}</svg>', colours, uses)


def computer_parts(bot: str) -> tuple[str, tuple[str, ...]]:
    """The face of a strategy as ``features`` gives one: it brings its colours along."""
    known = bot if bot in COMPUTERS else f"robot-{_digest(bot)[0] % _UNNAMED_ROBOTS}"
    return "", (f"bot-{known}",)


def features(name: str) -> tuple[str, tuple[str, ...]]:
    """The colours and the parts of a person's face, the hindmost first."""
    style, look, wears, skin, hair, cloth = _digest(name)[:6]
    behind, before = _STYLES[style % len(_STYLES)]
    parts = (behind, "body", f"look-{look % _LOOKS}", before, _WEARS[wears % len(_WEARS)])
    colours = f"skin-{skin % _SKINS} hair-{hair % _HAIRS} cloth-{cloth % _CLOTHES}"
    return colours, tuple(filter(None, parts))


def _digest(name: str) -> bytes:
    return blake2s(name.strip().casefold().encode(), digest_size=8).digest()


# Drawn signs: ``{% sign slug %}``; not every system has a font with these pictures.
#
# They are drawn by `tests/art/signs.py`, one for each sign of `games.phrases.speaking`.

SPRITE: Final = "games/img/signs.svg"
DRAWN: Final = ("thumbs_up", "applause", "smile", "astonished", "tears", "coffee")


@register.simple_tag
@cache
def sign(slug: str) -> SafeString:
    """The drawing alone, which says nothing by itself."""
    drawing = (
        '<svg class="sign-picture" viewBox="0 0 32 32" aria-hidden="true"><use href="{}#{}"/></svg>'
    )
    return format_html(drawing, static(SPRITE), slug)


@register.simple_tag
@cache
def every_sign() -> SafeString:
    """All of them, for a script that shows one when it is said."""
    return format_html_join("", '<i data-sign="{}">{}</i>', ((slug, sign(slug)) for slug in DRAWN))


# The games of the catalogue, for what stands on every page.

USUAL: Final = "games/parts/picture.html"


@register.simple_tag
def all_games() -> Sequence[AnyGame]:
    """``{% all_games as offered %}``: every game, the one offered first at the front."""
    return catalog.GAMES


@register.simple_tag(takes_context=True)
def picture(context: template.Context, game: AnyGame) -> SafeString:
    """A game in one glance: its own template, if it has one that can be drawn."""
    own = [f"games/tables/{game.slug}/picture.html", USUAL]
    return or_else(game.slug, lambda: _drawn(context, own), lambda: _drawn(context, [USUAL]))


def _drawn(context: template.Context, names: list[str]) -> SafeString:
    chosen = select_template(names).template
    with context.push():
        return SafeString(chosen.render(context))


@register.simple_tag
@cache
def felts() -> tuple[str, ...]:
    """The stylesheets of the games that have a felt of their own."""
    files = [f"games/tables/{game.slug}/felt.css" for game in catalog.GAMES]
    return tuple(file for file in files if finders.find(file))


# Parts of pages that are the same for many readers: ``{% shared of=value … %}…{% endshared %}``.

TOKEN: Final = token_hex(32)  # stands in a kept part for the reader's: no name can be like it
MOST_KEPT: Final = 4_000


class Shared(template.Node):
    """Made once for all readers of a language and for the same values; it is told nothing else.

    Neither the reader nor the request is known inside: nothing of theirs can be kept for others.
    """

    child_nodelists = ()  # no block can be put in its place
    kept: ClassVar[dict[Hashable, SafeString]] = {}  # of this process

    def __init__(self, nodes: NodeList, named: dict[str, FilterExpression]) -> None:
        self.nodelist, self._named = nodes, named

    def render(self, context: template.Context) -> SafeString:
        values = {name: value.resolve(context) for name, value in self._named.items()}
        version = getattr(settings.CLUB, "version", 0)
        kinds = map(type, values.values())  # of two equal texts one may be safe
        key = self, get_language(), wants_letters(), version, *kinds, *values.values()
        if (html := self.kept.get(key)) is None or not version:
            html = self._made(context, values)
            if len(self.kept) >= MOST_KEPT:
                self.kept.clear()
            self.kept[key] = html
        return with_token(html, context.get("csrf_token")) if TOKEN in html else html

    def _made(self, context: template.Context, values: dict[str, Any]) -> SafeString:
        inside = template.Context(values | club.of_pages() | {"csrf_token": TOKEN})
        inside.template = context.template
        return self.nodelist.render(inside)


@register.tag
def shared(parser: Parser, token: Token) -> Shared:
    named = token_kwargs(token.split_contents()[1:], parser)
    nodes = parser.parse(("endshared",))
    parser.delete_first_token()
    return Shared(nodes, named)


def with_token(html: str, token: object) -> SafeString:
    """A kept part, with the reader's token in its forms."""
    return SafeString(html.replace(TOKEN, str(token)))
