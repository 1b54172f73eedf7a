"""Exercises for scenes: a shipped one, one of a public match, somebody's mistake."""

from cardroom.rules import catalog
from games.exercises import collecting, searching
from games.exercises.models import Exercise, Scan
from games.exercises.searching import decoded
from tests.matches.scenes import opened, played


def clear_position(slug="pazaak"):
    """A decision of a match of computers in which one move is clearly best."""
    game = catalog.find(slug)
    found = searching.finder(game)
    for seed in range(20):
        for decision in searching.house_decisions(game, game.options(), found.judge, seed):
            position = found.clear(decision, game.options())
            if position is not None:
                return decision, position
    raise LookupError(slug)


def from_file(slug="pisti", at=0):
    """A shipped exercise as a row."""
    collecting.settle_shipped()
    rows = Exercise.objects.filter(game=slug, match=None, owner=None)
    return rows.order_by("key")[at]


def of(row):
    return decoded(bytes(row.position))


def best(row):
    return of(row).best.move


def worst(row):
    return of(row).choices[-1].move


def lax(monkeypatch):
    """A short match played at random has few decisions: smaller differences are clear enough."""
    monkeypatch.setattr(searching, "MARGIN", 0.005)
    monkeypatch.setattr(searching.Finder, "_missed", lambda *_: 1.0)


def over(user, game="pazaak", visibility="public", bot="gambler", **more):
    """A match against a computer, played to its end at random."""
    return played(opened(user, f"me, bot {bot}", game, visibility=visibility, **more))


def looked_through():
    while Scan.objects.filter(status="running").exists():
        collecting.look_for_a_while()


def collected(most=5):
    n = collecting.collect(most)
    looked_through()
    return n
