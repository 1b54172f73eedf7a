"""What a person is invited to, who may never have heard of the game: an open match at a glance."""

from dataclasses import dataclass

from games.language import words
from games.web.parts.table_page import TablePage
from games.web.parts.terms import pace_in_words, rules_in_words


@dataclass(frozen=True)
class Invitation:
    """``seat`` is the one that a single press takes; none where the reader cannot sit down."""

    page: TablePage

    @property
    def host(self) -> str:
        return self.page.name_of(self.page.match.creator_id)

    @property
    def summary(self) -> str:
        return words(self.page.match.rules.summary)

    @property
    def rules(self) -> list[str]:
        return rules_in_words(self.page.match.rules, self.page.match.options)

    @property
    def pace(self) -> str:
        return pace_in_words(self.page.match.turn_seconds)

    @property
    def people(self) -> list[str]:
        """Those who are there already."""
        return [panel.name for panel in self.page.seat_panels if panel.seat.kind != "open"]

    @property
    def seat(self) -> int | None:
        free = [panel.seat for panel in self.page.seat_panels if panel.seat.kind == "open"]
        own = [seat.index for seat in free if seat.awaits(self.page.user)]
        anybodys = [seat.index for seat in free if seat.invited_id is None]
        return next(iter(own + anybodys), None) if self.page.can_join else None


def invitation(page: TablePage) -> Invitation | None:
    """While the match waits for players and the reader has no seat in it."""
    is_open = page.match.status == "open" and not page.own_seats
    return Invitation(page) if is_open else None
