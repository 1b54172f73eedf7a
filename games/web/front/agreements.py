"""What the people at a table are asked now: a round taken back, a match that waits in vain."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.utils import timezone
from django.utils.translation import gettext

from games.idle.selectors import NUDGED_AFTER, absent_seats, is_idle, may_end
from games.matches.seat_snapshot import SeatSnapshot
from games.matches.selectors.secrecy import is_sealed
from games.matches.snapshot import MatchSnapshot
from games.matches.take_back import TakeBack
from games.web.parts.round_words import numbered
from games.web.parts.table_page import TablePage
from games.web.parts.words import joined


@dataclass(frozen=True)
class Agreements:
    """For one reader of a table's page."""

    page: TablePage

    @property
    def _match(self) -> MatchSnapshot:
        return self.page.match

    @cached_property
    def wish(self) -> TakeBack | None:
        """Somebody wants a round back, or wanted it a moment ago; nobody has moved since."""
        wish = self._match.take_back
        shown = wish is not None and wish.status != "withdrawn" and self._match.status == "active"
        return wish if shown and self.page.own_seats else None

    @property
    def asks(self) -> bool:
        """There is something that the reader is told or asked now."""
        return bool(self.wish or self.keeps_waiting_since or self.absent)

    @property
    def wanted_by(self) -> str:
        return self.page.seat_panels[self.wish.seat].name if self.wish else ""

    @property
    def declined_by(self) -> str:
        declined = self.wish.declined_by if self.wish else None
        return "" if declined is None else self.page.seat_panels[declined].name

    @property
    def round_named(self) -> str:
        number = self.wish.round if self.wish else 0
        return numbered(self._match.game, number) or gettext("the whole match")

    @property
    def is_own(self) -> bool:
        return self.wish is not None and self.wish.seat in self.page.own_seats

    @property
    def may_answer(self) -> bool:
        wish = self.wish
        if wish is None or wish.status != "waiting" or self.is_own or not self._plays:
            return False
        return not {*wish.agreed} & {*self.page.own_seats}

    @property
    def _plays(self) -> bool:
        """Whether the reader plays a seat in person."""
        return any(map(_in_person, (self._match.seats[seat] for seat in self.page.own_seats)))

    @property
    def can_ask(self) -> bool:
        match, wish = self._match, self._match.take_back
        if match.status != "active" or match.rated or self.page.is_solo or not self._plays:
            return False
        if wish is not None and wish.version == match.version:
            return wish.status != "waiting" and not {*wish.tried} & {*self.page.own_seats}
        return match.version > (match.parent_version or 0)

    @property
    def can_take_back_alone(self) -> bool:
        """The reader plays alone and has moved lately."""
        active = self._match.status == "active" and not self.page.hidden
        if not (active and self.page.is_solo and self.page.moved > 0):
            return False
        return not is_sealed(self._match)

    @cached_property
    def absent(self) -> str:
        """The names of those who may be counted as gone, if the reader may end the match."""
        now = timezone.now()
        if not may_end(self._match, self.page.user, now):
            return ""
        return joined([self.page.seat_panels[seat].name for seat in absent_seats(self._match, now)])

    @property
    def keeps_waiting_since(self) -> datetime | None:
        """The reader has been to act for a day while others wait."""
        match = self._match
        late = self.page.is_your_turn and is_idle(match, NUDGED_AFTER, timezone.now())
        return match.updated_at if late and not self.page.is_solo else None


def _in_person(seat: SeatSnapshot) -> bool:
    return seat.resigned_at is None and not seat.stand_in
