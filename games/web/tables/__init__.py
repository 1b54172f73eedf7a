"""What a game's own table page needs beyond the board: one module a game, found by its slug.

``games/web/tables/<slug>.py`` (or ``<slug>/scene.py`` where there are several modules) may define
``scene(board) -> object``; the template finds it as ``scene``. ``table.html`` in
``games/templates/games/tables/<slug>/`` draws it, with ``table.css`` and ``table.js`` of
``games/static/games/tables/<slug>/`` when they exist. All of it is optional: a game with none is
drawn by ``any.html``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from django.contrib.staticfiles import finders
from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from games.web.table_page import Board
from games.web.tables import any_game

Scene = Callable[[Board], object]


@dataclass(frozen=True)
class Look:
    """How a game is drawn: its template, the function behind it, its own style and script."""

    template: str
    scene: Scene
    style: str | None
    script: str | None


@cache
def look_of(slug: str) -> Look:
    own = _has_template(f"games/tables/{slug}/table.html")
    return Look(
        template=f"games/tables/{slug}/table.html" if own else "games/tables/any.html",
        scene=_scene(slug) if own else any_game.scene,
        style=_static(f"games/tables/{slug}/table.css"),
        script=_static(f"games/tables/{slug}/table.js"),
    )


def _has_template(name: str) -> bool:
    try:
        get_template(name)
    except TemplateDoesNotExist:
        return False
    return True


def _scene(slug: str) -> Scene:
    """The game's ``scene``: its module's, or in a package that of the module ``scene``."""
    name = f"{__name__}.{slug}"
    found = find_spec(name)
    if found is None:
        return any_game.scene
    packaged = found.submodule_search_locations is not None
    scene: Scene = import_module(f"{name}.scene" if packaged else name).scene
    return scene


def _static(path: str) -> str | None:
    return path if finders.find(path) else None
