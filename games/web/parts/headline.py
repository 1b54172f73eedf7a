"""A match in words: its headline, its rounds, what shaped it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from cardroom.rules import text
from cardroom.rules.course import MatchShape, match_shape
from cardroom.rules.game import AnyGame, RoundName
from games.language import reader
from games.web.parts.table_page import SeatPanel, TablePage

# The name of a game's rounds, in the sentences of a page: a deal, a game, a round.

Lazy = str | Promise


@dataclass(frozen=True)
class RoundWords:
    """``numbered`` has a ``%(number)s`` in them; it is empty where a match has one round only."""

    name: Lazy
    plural: Lazy
    numbered: Lazy
    following: Lazy
    every: Lazy
    saves: Lazy
    loading: Lazy
    still_there: Lazy


_WORDS: Final[Mapping[RoundName, RoundWords]] = {
    "deal": RoundWords(
        name=gettext_lazy("Deal"),
        plural=gettext_lazy("Deals"),
        numbered=gettext_lazy("deal %(number)s"),
        following=gettext_lazy("Next deal"),
        every=gettext_lazy("Every deal"),
        saves=gettext_lazy("Saves: continue from an earlier deal"),
        loading=gettext_lazy("Loading opens a new match at the beginning of that deal."),
        still_there=gettext_lazy("An earlier deal can still be loaded as a new match."),
    ),
    "game": RoundWords(
        name=gettext_lazy("Game"),
        plural=gettext_lazy("Games"),
        numbered=gettext_lazy("game %(number)s"),
        following=gettext_lazy("Next game"),
        every=gettext_lazy("Every game"),
        saves=gettext_lazy("Saves: continue from an earlier game"),
        loading=gettext_lazy("Loading opens a new match at the beginning of that game."),
        still_there=gettext_lazy("An earlier game can still be loaded as a new match."),
    ),
    "match": RoundWords(
        name=gettext_lazy("Match"),
        plural="",
        numbered="",
        following=gettext_lazy("Next match"),
        every=gettext_lazy("Every match"),
        saves=gettext_lazy("Saves: play from the beginning again"),
        loading=gettext_lazy("Loading opens a new match at the beginning of this one."),
        still_there=gettext_lazy("Its beginning can still be loaded as a new match."),
    ),
    "round": RoundWords(
        name=gettext_lazy("Round"),
        plural=gettext_lazy("Rounds"),
        numbered=gettext_lazy("round %(number)s"),
        following=gettext_lazy("Next round"),
        every=gettext_lazy("Every round"),
        saves=gettext_lazy("Saves: continue from an earlier round"),
        loading=gettext_lazy("Loading opens a new match at the beginning of that round."),
        still_there=gettext_lazy("An earlier round can still be loaded as a new match."),
    ),
}


def words_for(game: AnyGame) -> RoundWords:
    return _WORDS[game.round_name]


def numbered(game: AnyGame, number: int) -> str:
    """*deal 3*; empty where a match has one round only."""
    return str(_WORDS[game.round_name].numbered) % {"number": number}


def heading(game: AnyGame, number: int) -> str:
    """*Deal 3*; *Match* where it has one round only."""
    return capfirst(numbered(game, number)) or str(_WORDS[game.round_name].name)


# Names in a row and sentences, as the reader reads them.


def joined(names: Sequence[str]) -> str:
    """``Ada, Ben and Cleo``."""
    if len(names) == 1:
        return names[0]
    return text.joined(names).render(reader())


def sentence(clause: str) -> str:
    """With its full stop, as it is read aloud between others."""
    return clause if clause.endswith((".", "!", "?", "…")) else f"{clause}."


def headline(page: TablePage) -> str:
    match page.match.status:
        case "open":
            return _open(page)
        case "active":
            return _active(page)
        case "aborted":
            return _("The match was called off.")
        case _:
            return _finished(page)


def round_said(page: TablePage) -> str:
    """*deal 3*, as the game calls its rounds; empty before the first."""
    return numbered(page.match.rules, page.match.round) if page.match.round else ""


def _open(page: TablePage) -> str:
    free = sum(seat.kind == "open" for seat in page.match.seats)
    return ngettext("Waiting for one more player", "Waiting for %(free)d more players", free) % {
        "free": free
    }


def _active(page: TablePage) -> str:
    acting = [panel for panel in page.seat_panels if panel.is_acting]
    if page.hidden and page.you:
        return _("Pass the device to %(name)s") % {"name": page.you.name}
    if page.is_your_turn and page.you:
        return _your_turn(page, page.you)
    return _waiting(acting)


def _your_turn(page: TablePage, panel: SeatPanel) -> str:
    name = {"name": panel.name}
    return _("%(name)s, your turn") % name if page.is_shared else _("Your turn")


def _waiting(acting: Sequence[SeatPanel]) -> str:
    if len(acting) == 1 and acting[0].seat.kind == "bot":
        return _("%(name)s is thinking…") % {"name": acting[0].name}
    return _("Waiting for %(names)s") % {"names": joined([panel.name for panel in acting])}


@dataclass(frozen=True)
class Turn:
    """The headline while a seat's cards move."""

    seat: int
    headline: str
    is_yours: bool


def turns(page: TablePage) -> list[Turn]:
    return [_turn(page, panel) for panel in page.seat_panels]


def _turn(page: TablePage, panel: SeatPanel) -> Turn:
    if panel.index in page.own_seats:
        return Turn(panel.index, _your_turn(page, panel), is_yours=True)
    return Turn(panel.index, _waiting([panel]), is_yours=False)


def _finished(page: TablePage) -> str:
    winners = [panel for panel in page.seat_panels if panel.is_winner]
    if winners and page.you and not page.is_shared:
        others = [panel.name for panel in winners if not panel.is_you]
        if not page.you.is_winner:
            return _("You lost")
        return _("You and %(names)s won!") % {"names": joined(others)} if others else _("You won!")
    return result(page)


def result(page: TablePage) -> str:
    """The winners of a match that is over, in words for anybody."""
    winners = [panel for panel in page.seat_panels if panel.is_winner]
    if not winners:
        return _("A draw")
    names = joined([panel.name for panel in winners])
    return ngettext("%(names)s won", "%(names)s won", len(winners)) % {"names": names}


# The shape of a match in words: match point between rounds, leads and streaks at its end.

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
    if match.is_over:
        return ShapeWords("", list(_sentences(shape_of(page), match.rules, _names(page))))
    names = [_names(page)[side] for side in match.rules.match_point(match.options, _scores(page))]
    point = _("Match point: %(names)s") % {"names": joined(names)} if names else ""
    return ShapeWords(point, [])


def shape_of(page: TablePage) -> MatchShape:
    return match_shape(page.match.rules, page.match.options, _scores(page))


def _scores(page: TablePage) -> list[list[int]]:
    """Those of the rounds that were over at the page's version, in their order."""
    match = page.match
    closed = [r for r in page.rounds if r.scores and (match.is_over or r.number < match.round)]
    return [r.scores or [] for r in sorted(closed, key=attrgetter("number"))]


def turning_point(shape: MatchShape, game: AnyGame, name: str) -> str:
    """*Deal 4: Ada took the lead for good.* Empty where nobody was overtaken."""
    if shape.turning_point is None:
        return ""
    at = {"round": heading(game, shape.turning_point), "name": name}
    return _("%(round)s: %(name)s took the lead for good.") % at


def _sentences(shape: MatchShape, game: AnyGame, names: list[str]) -> Iterator[str]:
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
