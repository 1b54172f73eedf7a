"""What is said at a table: the phrases to choose from, whom one reads, what bubbles show."""

from dataclasses import dataclass
from uuid import UUID

from games.matches.snapshot import MatchSnapshot
from games.phrases import selectors
from games.phrases.sentences import Offered, find, offered_at
from games.web.parts.table_page import SeatPanel, TablePage


@dataclass(frozen=True)
class Talk:
    """``people``: the others, each with whether the reader has muted them."""

    sentences: list[Offered]
    signs: list[Offered]
    people: list[tuple[SeatPanel, bool]]
    reads_nobody: bool


def talk(page: TablePage) -> Talk | None:
    """None where nobody is there to talk to, as for people at one device."""
    if page.user is None or not selectors.may_speak(page.match, page.user):
        return None
    offered = offered_at(page.match.rules)
    others = {one.seat.user_id: one for one in page.others if one.seat.kind == "user"}
    nobody, muted = selectors.mutes_of(page.user, [each for each in others if each])
    return Talk(
        sentences=[one for one in offered if not one.picture],
        signs=[one for one in offered if one.picture],
        people=[(panel, account in muted) for account, panel in others.items()],
        reads_nobody=nobody,
    )


def bubbles(match: MatchSnapshot, reader: UUID | None) -> dict[int, Offered]:
    """What bubbles show just now, by seat: for a page without scripts."""
    if sum(seat.kind == "user" for seat in match.seats) < 2:
        return {}
    rows = selectors.said_since([selectors.Wanted(match.id, reader, 0)])[0]
    shown = {row.seat: find(match.rules, row.phrase) for row in rows}
    return {seat: offered for seat, offered in shown.items() if offered}
