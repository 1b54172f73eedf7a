"""Proves closed weeks from the matches, and the divisions that followed (``manage.py recount``).

The ratings are proved before: a league counts what is rated. A division is opened by how the week
before ended; where newcomers came in is a fact of that moment, and stands.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from django.db import transaction

from cardroom.rules import catalog
from games.leagues.counting import Counted, counted
from games.leagues.models import Line, Week
from games.leagues.placing import ended
from games.leagues.tiers import ROOM, arranged, division_of_newcomer

RESULT: Final = ("points", "matches", "place", "move")


def leagues(*, mend: bool) -> Iterator[str]:
    """Every line that does not follow from the matches, or from the week before."""
    games = [game.slug for game in catalog.GAMES]
    for week in Week.objects.filter(game__in=games).order_by("monday", "game"):
        with transaction.atomic():
            locked = Week.objects.select_for_update().get(pk=week.pk)
            yield from _positions(locked, mend=mend)
            if locked.closed_at is not None:
                yield from _results(locked, mend=mend)


def _results(week: Week, *, mend: bool) -> Iterator[str]:
    lines = list(week.lines.all())
    for each in counted(week, lines, len(lines)):
        stored, right = _stored(each.line), each[1:]
        if stored != right:
            yield f"{week} line {each.line.pk}: {stored} is stored, {right} counted"
            if mend:
                _write(each)


def _stored(line: Line) -> tuple[object, ...]:
    return tuple(getattr(line, name) for name in RESULT)


def _write(each: Counted) -> None:
    Line.objects.filter(pk=each.line.pk).update(**dict(zip(RESULT, each[1:], strict=True)))


def _positions(week: Week, *, mend: bool) -> Iterator[str]:
    """Those who were carried over stand where the week before has put them."""
    carried = list(week.lines.filter(earlier__isnull=False).select_related("earlier"))
    by_account = {line.account_id: line for line in carried}
    wrong, before = False, [ended(line.earlier) for line in carried if line.earlier is not None]
    for at in arranged(before):
        line = by_account[at.account]
        stored, right = (line.tier, line.division, line.slot), at[1:]
        if stored != right:
            yield f"{week} line {line.pk}: {stored} is stored, {right} follows"
            line.tier, line.division, line.slot = right
            wrong = True
    if wrong and mend:
        _move(week, carried)


def _move(week: Week, carried: list[Line]) -> None:
    """Newcomers stay in their divisions, behind those who were carried over, if there is room."""
    sizes = Counter((line.tier, line.division) for line in carried)
    newcomers = list(week.lines.filter(earlier=None).order_by("since", "id"))
    for line in newcomers:
        if sizes[line.tier, line.division] >= ROOM:
            counts = {number: n for (tier, number), n in sizes.items() if tier == line.tier}
            line.division = division_of_newcomer(counts)
        line.slot = sizes[line.tier, line.division]
        sizes[line.tier, line.division] += 1
    Line.objects.bulk_update([*carried, *newcomers], ["tier", "division", "slot"])
