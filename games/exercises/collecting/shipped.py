"""The exercises that come with the software, so that no page is empty where nobody has played yet.

``games/exercises/data/<slug>.json`` is written by ``manage.py exercises write``. What is taken out
of the file stays where it was stored; an operator can withdraw it.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from cardroom.rules import catalog
from config.tasks.duties import Duty
from games.exercises.collecting.storing import row_of
from games.exercises.models import Exercise
from games.exercises.searching.finding import themes_of
from games.exercises.searching.positions import Shipped

FOLDER: Final = Path(__file__).parents[1] / "data"


_decoder = msgspec.json.Decoder(list[Shipped])


@cache
def of_game(slug: str) -> Sequence[Shipped]:
    path = FOLDER / f"{slug}.json"
    return _decoder.decode(path.read_bytes()) if path.exists() else ()


def write(slug: str, shipped: Sequence[Shipped]) -> Path:
    """One position a line, so that a change of one is a change of one line."""
    lines = ",\n".join(msgspec.json.encode(each).decode() for each in shipped)
    path = FOLDER / f"{slug}.json"
    path.write_text(f"[\n{lines}\n]\n")
    of_game.cache_clear()
    return path


def settle() -> int:
    """Stores those that are missing; how many."""
    wanted = {
        each.position.key: each
        for game in catalog.GAMES
        if themes_of(game)
        for each in of_game(game.slug)
    }
    there = Exercise.objects.filter(owner=None, key__in=list(wanted)).values_list("key", flat=True)
    missing = wanted.keys() - set(there)
    rows = [row_of(wanted[key].position, wanted[key].theme) for key in sorted(missing)]
    Exercise.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


SHIPPED: Final = Duty(name="shipped exercises", kind="long", piece=settle, every=300)
