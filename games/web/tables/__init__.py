"""What a game's own table page needs beyond the board: one module a game, found by its slug.

``games/web/tables/<slug>.py`` may define ``scene(board) -> object``; the template finds it as
``scene``. ``games/templates/games/tables/<slug>.html`` draws it, with ``<slug>.css`` and
``<slug>.js`` of ``games/static/games/tables/`` when they exist. All of it is optional: a game
with none is drawn by ``any.html``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from django.contrib.staticfiles import finders
from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from games.web.board import Board
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
    own = _has_template(f"games/tables/{slug}.html")
    return Look(
        template=f"games/tables/{slug}.html" if own else "games/tables/any.html",
        scene=_scene(slug) if own else any_game.scene,
        style=_static(f"games/tables/{slug}.css"),
        script=_static(f"games/tables/{slug}.js"),
    )


def _has_template(name: str) -> bool:
    try:
        get_template(name)
    except TemplateDoesNotExist:
        return False
    return True


def _scene(slug: str) -> Scene:
    name = f"{__name__}.{slug}"
    if find_spec(name) is None:
        return any_game.scene
    scene: Scene = import_module(name).scene
    return scene


def _static(path: str) -> str | None:
    return path if finders.find(path) else None
