"""A match in one line: whose turn it is, what it waits for, who won."""

from collections.abc import Sequence

from games.rules import text
from games.web.table_page import TablePage


def headline(page: TablePage) -> str:
    match page.match.status:
        case "open":
            return _open(page)
        case "active":
            return _active(page)
        case "aborted":
            return "The match was called off."
        case _:
            return _finished(page)


def _open(page: TablePage) -> str:
    free = sum(seat.kind == "open" for seat in page.match.seats)
    return "Waiting for one more player" if free == 1 else f"Waiting for {free} more players"


def _active(page: TablePage) -> str:
    acting = [panel for panel in page.seat_panels if panel.is_acting]
    if page.hidden and page.you:
        return f"Pass the device to {page.you.name}"
    if page.is_your_turn and page.you:
        return f"{page.you.name}, your turn" if page.is_shared else "Your turn"
    if len(acting) == 1 and acting[0].seat.kind == "bot":
        return f"{acting[0].name} is thinking…"
    return f"Waiting for {_joined([panel.name for panel in acting])}"


def _finished(page: TablePage) -> str:
    winners = [panel for panel in page.seat_panels if panel.is_winner]
    if not winners or len(winners) == len(page.seat_panels):
        return "A draw"
    if page.you and page.you.is_winner and not page.is_shared:
        others = [panel.name for panel in winners if not panel.is_you]
        return f"You and {_joined(others)} won!" if others else "You won!"
    return f"{_joined([panel.name for panel in winners])} won"


def _joined(names: Sequence[str]) -> str:
    return text.joined(names).render(text.ENGLISH)
