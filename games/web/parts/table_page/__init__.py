"""What a table page shows one viewer: names, view, moves, the last events in words."""

from functools import partial
from uuid import UUID

import msgspec

from cardroom.rules.values import View
from games.matches.snapshot import MatchSnapshot
from games.web.parts.table_page.events import MatchEvents
from games.web.parts.table_page.panels import MoveButton, SeatPanel
from games.web.parts.table_page.seats import MatchSeats
from games.web.parts.table_page.viewed import PLIES_READ

__all__ = ["PLIES_READ", "MoveButton", "SeatPanel", "TablePage", "table_page"]


class TablePage(MatchEvents, MatchSeats):
    """All that the page and its scene show of a match: the view, the events and the seats."""


def table_page(
    match: MatchSnapshot,
    user: UUID | None,
    *,
    present_seat: int | None = None,
    plies_read: int = PLIES_READ,
    wants_hints: bool = False,
    unseen: int = 0,
) -> TablePage:
    """The page of a viewer; at a shared device ``present_seat`` holds it now."""
    page = partial(TablePage, match, user, plies_read=max(plies_read, unseen), unseen=unseen)
    own = match.seats_of(user)
    seat = match.acting_seat(user)
    if len(own) > 1 and match.status == "active" and _has_secrets(match, own):
        if present_seat in own and (present_seat in match.to_act or seat not in match.to_act):
            return page(present_seat)
        return page(seat, hidden=True)
    return page(seat, wants_hints=wants_hints)


def _has_secrets(match: MatchSnapshot, own: tuple[int, ...]) -> bool:
    """Whether one of these seats sees more than a spectator does."""
    watched = match.rules.view(match.state, None)
    return any(_plain(match.rules.view(match.state, seat)) != _plain(watched) for seat in own)


def _plain(view: View) -> View:
    return msgspec.structs.replace(view, seat=None, legal_moves=())
