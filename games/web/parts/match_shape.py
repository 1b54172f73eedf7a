"""The shape of a match in words: match point between rounds, leads and streaks at its end."""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from cardroom.rules.match_shape import MatchShape, match_shape
from games.web.parts.round_words import heading
from games.web.parts.table_page import TablePage
from games.web.parts.words import joined

LEAST_ROUNDS: Final = 3  # a shorter match has no shape worth telling


@dataclass(frozen=True)
class ShapeWords:
    """``match_point`` is for a match that runs, ``sentences`` for one that is over."""

    match_point: str
    sentences: list[str]


def shape_words(page: TablePage) -> ShapeWords:
    match = page.match
    if match.state_json is None or not page.rounds:
        return ShapeWords("", [])
    shape = shape_of(page)
    if match.is_over:
        return ShapeWords("", list(_sentences(shape, match.game, _names(page))))
    names = [_names(page)[side] for side in shape.match_point]
    point = _("Match point: %(names)s") % {"names": joined(names)} if names else ""
    return ShapeWords(point, [])


def shape_of(page: TablePage) -> MatchShape:
    """By the rounds that were over at the page's version."""
    match = page.match
    closed = [r for r in page.rounds if r.scores and (match.is_over or r.number < match.round)]
    scores = [r.scores or [] for r in sorted(closed, key=attrgetter("number"))]
    return match_shape(match.rules, match.options, scores)


def turning_point(shape: MatchShape, game: str, name: str) -> str:
    """*Deal 4: Ada took the lead for good.* Empty where nobody was overtaken."""
    if shape.turning_point is None:
        return ""
    at = {"round": heading(game, shape.turning_point), "name": name}
    return _("%(round)s: %(name)s took the lead for good.") % at


def _sentences(shape: MatchShape, game: str, names: list[str]) -> Iterator[str]:
    if len(shape.rounds) < LEAST_ROUNDS:
        return
    if shape.leader is not None and shape.led_from_the_first:
        yield _("%(name)s led from beginning to end.") % {"name": names[shape.leader]}
    elif shape.lead_changes:
        yield _changes(shape.lead_changes)
    if shape.leader is not None and shape.turning_point is not None:
        yield turning_point(shape, game, names[shape.leader])
    if shape.streak:
        streak = {"name": names[shape.streak.side], "n": shape.streak.rounds}
        yield _("Longest streak: %(name)s, %(n)d in a row.") % streak


def _changes(count: int) -> str:
    return ngettext("The lead changed once.", "The lead changed %(n)d times.", count) % {"n": count}


def _names(page: TablePage) -> list[str]:
    return [joined([page.seat_panels[s].name for s in side]) for side in page.match.sides]
