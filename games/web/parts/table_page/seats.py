"""The seats of the match, in the order in which the viewer sees them, and who sits there."""

from functools import cached_property
from uuid import UUID

from django.utils.translation import gettext

from accounts.notifications.choices import choices_of
from accounts.social.selectors import usernames_seen_by
from games.guests import name_for
from games.matches.seat_snapshot import SeatSnapshot
from games.matches.seating.company import is_kept_away
from games.matches.seating.friends import is_free_for
from games.matches.seating.resting_people import SeatResting, resting_at
from games.matches.selectors.secrecy import may_sit
from games.web.parts.table_page.panels import SeatPanel, bank_of
from games.web.parts.table_page.viewed import ViewedMatch


class MatchSeats(ViewedMatch):
    """The people at the table, and what the viewer may do about a seat."""

    @cached_property
    def seat_panels(self) -> list[SeatPanel]:
        outcome = self.match.outcome
        winners = outcome.winners if outcome else ()
        return [
            SeatPanel(
                seat=seat,
                name=name_for(seat, self.match.names[seat.index], self.match.seats, self.user),
                is_you=seat.index == self.seat,
                is_acting=seat.index in self.match.to_act,
                is_winner=seat.index in winners,
                bank=bank_of(self.match, seat.index),
                is_free_for_reader=seat.kind == "open" and self.is_free_for_reader(seat),
            )
            for seat in self.match.seats
        ]

    @cached_property
    def you(self) -> SeatPanel | None:
        return None if self.seat is None else self.seat_panels[self.seat]

    @property
    def others(self) -> list[SeatPanel]:
        """The other seats in order of play, the one after the viewer's first."""
        first = 0 if self.seat is None else self.seat + 1
        ordered = self.seat_panels[first:] + self.seat_panels[:first]
        return [panel for panel in ordered if not panel.is_you]

    def is_free_for_reader(self, seat: SeatSnapshot) -> bool:
        """Whether it is anybody's, kept for the reader, or for friends and the reader is one."""
        if seat.awaits(self.user):
            return True
        is_free = is_free_for(seat, self.match.creator_id, self.user)
        return is_free and not self._is_kept_away

    @cached_property
    def _is_kept_away(self) -> bool:
        match = self.match
        return self.user is not None and is_kept_away(self.user, match.creator_id, match.seats)

    @cached_property
    def profiles(self) -> dict[int, str]:
        """The usernames, by seat, of the other people whose profiles the viewer may see.

        Of a guest and of a person who hides there is none, whatever the reason.
        """
        people = {seat.index: seat.user_id for seat in self.match.seats if seat.kind == "user"}
        others = {seat: id_ for seat, id_ in people.items() if id_ not in (None, self.user)}
        names = usernames_seen_by(self.user, others.values()) if others else {}
        return {seat: names[id_] for seat, id_ in others.items() if id_ in names}

    @cached_property
    def people_to_block(self) -> list[tuple[int | None, str]]:
        """Seat and name of every other person; the one who opened the match may have no seat."""
        user, match = self.user, self.match
        if user is None:
            return []
        people: dict[UUID, tuple[int | None, str]] = {}
        if match.creator_id != user and match.is_invited(user):
            people[match.creator_id] = (None, gettext("Who invited you"))
        for panel in self.seat_panels:
            if panel.seat.kind == "user" and panel.seat.user_id not in (None, user):
                people[panel.seat.user_id] = (panel.index, panel.name)
        return list(people.values())

    @property
    def seats_to_reclaim(self) -> list[SeatPanel]:
        """The viewer's seats that a bot plays since the time was up."""
        if self.match.status != "active":
            return []
        mine = (self.seat_panels[seat] for seat in self.own_seats)
        return [panel for panel in mine if panel.seat.may_be_reclaimed]

    @property
    def can_join(self) -> bool:
        if self.match.status != "open" or self.own_seats:
            return False
        free = [s for s in self.match.seats if s.kind == "open"]
        return any(self.is_free_for_reader(s) and self._may_sit(s.index) for s in free)

    def _may_sit(self, seat: int) -> bool:
        loaded = self.match.parent_id is not None
        return not loaded or may_sit(self.match.id, seat, self.user)

    @cached_property
    def rests(self) -> list[SeatResting]:
        """Whose clock stands still, as far as the viewer may know."""
        return resting_at(self.match, self.user)

    @cached_property
    def zone(self) -> str:
        """The viewer's time zone, where moments are shown."""
        return choices_of(self.user).time_zone if self.user else "UTC"

    @property
    def can_give_time(self) -> bool:
        """Somebody else is to act against the clock."""
        waits = set(self.match.people_to_act) - set(self.own_seats) if self.own_seats else set()
        return bool(waits) and self.match.deadline_at is not None and self.on_timeout is not None

    @property
    def can_resign(self) -> bool:
        if self.match.status != "active" or self.hidden or self.seat is None:
            return False
        gone = self.match.rules.retired_seats(self.match.state)
        return self.seat not in gone and self.match.seats[self.seat].resigned_at is None

    @property
    def can_abort(self) -> bool:
        """A running match; an open one has a button of its own (leaving)."""
        return self.match.status == "active" and self.match.may_be_aborted_by(self.user)
