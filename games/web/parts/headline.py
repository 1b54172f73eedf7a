"""A match in one line: whose turn it is, what it waits for, who won."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.web.parts.round_words import numbered
from games.web.parts.table_page import SeatPanel, TablePage
from games.web.parts.words import joined


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
    return numbered(page.match.game, page.match.round) if page.match.round else ""


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
    """What the headline says while a seat's cards move."""

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
    winners = _winners(page)
    if winners and page.you and not page.is_shared:
        others = [panel.name for panel in winners if not panel.is_you]
        if not page.you.is_winner:
            return _("You lost")
        return _("You and %(names)s won!") % {"names": joined(others)} if others else _("You won!")
    return result(page)


def result(page: TablePage) -> str:
    """The winners of a match that is over, in words for anybody."""
    winners = _winners(page)
    if not winners:
        return _("A draw")
    names = joined([panel.name for panel in winners])
    return ngettext("%(names)s won", "%(names)s won", len(winners)) % {"names": names}


def _winners(page: TablePage) -> list[SeatPanel]:
    """None where all have won."""
    winners = [panel for panel in page.seat_panels if panel.is_winner]
    return [] if len(winners) == len(page.seat_panels) else winners
