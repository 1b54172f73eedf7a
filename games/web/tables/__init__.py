"""Additions of a game's own page to the generic one: modules and files found by the game's slug.

``games/web/tables/<slug>.py`` (with ``_`` for each ``-``), or ``table.py`` in the package of a game
from outside, may define

* ``FIELDS``: how the generic table names the fields of the view, and which it leaves out;
* ``scene(page) -> object``, which the game's own template finds as ``scene``;
* ``PLIES_READ``: how many of the last plies the scene needs;
* ``CLOSES``: the event that closes a round, and ``ending(page, event) -> object``, which
  ``games/tables/<slug>/ending.html`` draws as ``ending``;
* ``motions(events)``: what a script shows of one ply (:mod:`games.web.parts.motions`);
* ``REPEATS``: the event that ends a turn without a choice, and ``brief_motions(events)``, which are
  shown instead when several such turns were played at once;
* ``moments(events, names)``: the best of a match in words; ``candidates(plies)``: its best moments
  (:mod:`games.web.parts.motions`), of which one is shown; ``hint(view)``: a word to a beginner;
* ``match_causes(events, options)``: what each side's result of these events is made of, those of a
  match (for its picture) or of a round (for its ending);
* ``last_cards(events)``: what lay there at the end of a match, for its picture;
* ``STYLES``: stylesheets besides its own;
* ``ACTIONS``: forms that only this game has. The form of ``ACTIONS["run"]`` is sent to
  ``{% url 'table_action' match.id 'run' %}``;
* ``recorded_deal()``: a deal that the landing page may show; ``SPECIMENS``: what the design page
  shows.

A package may have its ``ACTIONS`` in a module ``actions`` and the rest in ``scene``.
``games/templates/games/tables/<slug>/table.html`` draws the game,
with ``table.css`` and ``table.js`` of ``games/static/games/tables/<slug>/``, and ``card.html`` a
``code`` that is no playing card, ``picture.html`` the game in one glance and ``felt.css`` its felt.
All of it is optional: a game without a template is drawn by ``any.html``; so is one from outside
whose page fails (``drawn``).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any, TypeAlias, TypeVar
from uuid import UUID

from django.contrib.staticfiles import finders
from django.http import HttpRequest
from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from cardroom.rules import catalog
from cardroom.rules.text import Words
from cardroom.rules.values import Event
from games import outside as failing
from games.matches.snapshot import MatchSnapshot
from games.web.parts.motions import BestOf, Motion, Specimens
from games.web.parts.table_page import PLIES_READ, TablePage
from games.web.tables import any_game

T = TypeVar("T")
Scene: TypeAlias = Callable[[TablePage], object]
Moments: TypeAlias = Callable[[Iterable[Event], Sequence[str]], list[Words]]
Causes: TypeAlias = Callable[[Iterable[Event], Any], Sequence[Sequence[Any]]]
MotionsOfPly: TypeAlias = Callable[[Sequence[Event]], Iterable[Motion]]
Action: TypeAlias = Callable[[HttpRequest, UUID], MatchSnapshot]


@dataclass(frozen=True)
class GamePage:
    """A game's drawing and forms; ``styles`` and ``script`` are its own, if it has them."""

    slug: str
    template: str
    scene: Scene
    actions: Mapping[str, Action]
    plies_read: int
    closes: type[Event] | None
    ending: Callable[[TablePage, Any], object] | None
    ending_template: str
    card_template: str
    motions: MotionsOfPly | None
    brief_motions: MotionsOfPly | None
    repeats: type[Event]
    moments: Moments | None
    candidates: BestOf | None
    match_causes: Causes | None
    last_cards: Callable[[Iterable[Event]], list[str]]
    hint: Callable[[Any], Words | None] | None
    recorded_deal: Callable[[], object] | None
    specimens: Specimens | None
    styles: tuple[str, ...]
    script: str | None


@cache
def page_of(slug: str) -> GamePage:
    return failing.or_else(slug, lambda: _own_page(slug), lambda: plain_page(slug))


def drawn(game_page: GamePage, draw: Callable[[GamePage], T]) -> T:
    """The page as ``draw`` makes it, with the plain one where a game from outside fails."""
    slug = game_page.slug
    return failing.or_else(slug, lambda: draw(game_page), lambda: draw(plain_page(slug)))


def table_context(page: TablePage, game_page: GamePage) -> dict[str, Any]:
    """For the templates of a table, whatever stands around it."""
    return {
        "page": page,
        "match": page.match,
        "game": page.match.rules,
        "view": page.view,
        "game_page": game_page,
        "scene": game_page.scene(page) if page.view else None,
    }


def plain_page(slug: str) -> GamePage:
    """The generic page, which reads nothing of the game's own."""
    return GamePage(
        slug=slug,
        template="games/tables/any.html",
        scene=partial(any_game.scene, fields=any_game.Fields()),
        actions={},
        plies_read=PLIES_READ,
        closes=None,
        ending=None,
        ending_template="",
        card_template="games/parts/no_card.html",
        motions=None,
        brief_motions=None,
        repeats=Event,
        moments=None,
        candidates=None,
        match_causes=None,
        last_cards=any_game.last_cards,
        hint=None,
        recorded_deal=None,
        specimens=None,
        styles=(),
        script=None,
    )


def _own_page(slug: str) -> GamePage:
    own = _has_template(f"games/tables/{slug}/table.html")
    own_style = filter(None, [_static(f"games/tables/{slug}/table.css")])
    generic = partial(any_game.scene, fields=_stated(slug, "scene", "FIELDS", any_game.Fields()))
    actions = _stated(slug, "actions", "ACTIONS", {})
    return GamePage(
        slug=slug,
        template=f"games/tables/{slug}/table.html" if own else "games/tables/any.html",
        scene=_stated(slug, "scene", "scene", generic) if own else generic,
        actions={name: failing.acting(slug, perform) for name, perform in actions.items()},
        plies_read=int(_stated(slug, "scene", "PLIES_READ", PLIES_READ)),
        closes=_stated(slug, "scene", "CLOSES", None),
        ending=_stated(slug, "scene", "ending", None),
        ending_template=f"games/tables/{slug}/ending.html",
        card_template=f"games/tables/{slug}/card.html",
        motions=_decoration(slug, "motions", []),
        brief_motions=_decoration(slug, "brief_motions", []),
        repeats=_stated(slug, "scene", "REPEATS", Event),
        moments=_decoration(slug, "moments", []),
        candidates=_decoration(slug, "candidates", []),
        match_causes=_decoration(slug, "match_causes", []),
        last_cards=_decoration(slug, "last_cards", []) or any_game.last_cards,
        hint=_decoration(slug, "hint", None),
        recorded_deal=_decoration(slug, "recorded_deal", None),
        specimens=_stated(slug, "scene", "SPECIMENS", None),
        styles=(*_stated(slug, "scene", "STYLES", ()), *own_style),
        script=_static(f"games/tables/{slug}/table.js"),
    )


def _has_template(name: str) -> bool:
    try:
        get_template(name)
    except TemplateDoesNotExist:
        return False
    return True


def _stated(slug: str, module: str, name: str, default: Any) -> Any:
    """The value in the game's module, or in a package its module ``module``; else the default."""
    return getattr(_module(slug, module), name, default)


def _decoration(slug: str, name: str, nothing: Any) -> Any:
    return failing.decorating(slug, _stated(slug, "scene", name, None), nothing)


def _module(slug: str, module: str) -> ModuleType | None:
    own = _own(slug)
    spec = _spec(own)
    if spec is None:
        return None
    if spec.submodule_search_locations is None:
        return import_module(own)
    return import_module(f"{own}.{module}") if find_spec(f"{own}.{module}") else None


def _own(slug: str) -> str:
    """A game from outside has its module in its package."""
    outside = catalog.installed(slug)
    return f"{outside.entry.module}.table" if outside else f"{__name__}.{slug.replace('-', '_')}"


def _spec(name: str) -> ModuleSpec | None:
    try:
        return find_spec(name)
    except ModuleNotFoundError:  # the game is one module and no package
        return None


def _static(path: str) -> str | None:
    return path if finders.find(path) else None


def demonstration() -> Any:
    """The recorded deal of the first game that has one, for the landing page."""
    deals = (page.recorded_deal() for page in _pages() if page.recorded_deal)
    return next(filter(None, deals), None)


def _pages() -> Iterator[GamePage]:
    return (page_of(game.slug) for game in catalog.GAMES)


def pages_with_specimens() -> list[tuple[GamePage, Specimens]]:
    """Of each game that states something for the design page."""
    return [(page, page.specimens) for page in _pages() if page.specimens]
