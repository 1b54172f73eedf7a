"""People are suspended, come back and are erased, and a process may end while it does that."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from accounts.audit.log import Actor
from accounts.audit.models import Suspension
from accounts.services import open_guest
from games.matches.models import Seat
from games.operations import people, refereeing
from tests.matches.machine.operators import REASON, Operators
from tests.matches.machine.tables import Stopped, names, number

DAY = timedelta(days=1)
MINUTE = 61  # seconds, and one more

SeatOfMatch = tuple[Any, int]


class Standing(Operators):
    """``stopped`` is whose matches are not left yet; ``erasing`` says why they should be."""

    def __init__(self) -> None:
        super().__init__()
        self.erasing = False

    @precondition(lambda self: not self.stopped)
    @rule(who=number, name=names, resigns=st.booleans(), ends=st.booleans(), stops=st.booleans())
    def suspend(self, who: int, name: str, resigns: bool, ends: bool, stops: bool) -> None:
        by, user = self.staff(who), self.ids[name]
        until = self.clock + DAY if ends else None
        how = {"by": Actor.of(by, REASON), "until": until, "resigns": resigns, "now": self.clock}
        seats, closed = [] if resigns else self.to_hand_over(user), name in self.closed

        def suspend() -> None:
            refereeing.check_person(user, how["by"])
            people.suspend(user_id=user, **how)

        if not self.closes(name, suspend, stops=stops):
            return
        assert not closed
        assert not self.plays_with(by, user)
        self.closed.add(name)
        self.noted("suspend", user)
        if not self.stopped:
            self.handed_over(seats)

    def closes(self, name: str, call: Callable[[], None], *, stops: bool) -> bool:
        """Whether it was not refused. The process may end before the matches are left."""
        if not stops:
            return self.did(call)
        with patch.object(people, "leave_all", side_effect=Stopped):
            try:
                return self.did(call)
            except Stopped:
                self.stopped = name
                return True

    def plays_with(self, by: Any, user: Any) -> bool:
        running = [match for match in self.matches() if not match.is_over]
        theirs = [m for m in running if any(user in (s.user_id, s.invited_id) for s in m.seats)]
        return by.pk == user or any(self.concerns(by, match) for match in theirs)

    def to_hand_over(self, user: Any) -> list[SeatOfMatch]:
        """The seats that a bot must take over: they play, and no bot does."""
        found = []
        for match in self.matches():
            if match.status == "active":
                out = match.rules.retired_seats(match.state)
                plays = [s for s in match.seats if s.resigned_at is None and s.index not in out]
                plays = [s for s in plays if s.user_id == user and not s.stand_in]
                found += [(match.id, seat.index) for seat in plays]
        return found

    def handed_over(self, seats: list[SeatOfMatch]) -> None:
        for match_id, seat in seats:
            self.noted("hand_to_bot", match_id)
            model = self.models[match_id]
            model.handed[seat], model.rated = False, False

    @precondition(lambda self: self.closed)
    @rule(name=names)
    def lift(self, name: str) -> None:
        user, back = self.ids[name], self.to_give_back(self.ids[name])
        if self.did(lambda: people.lift(user_id=user, by=self.operator)):
            assert name in self.closed
            assert not (self.erasing and self.stopped == name)
            self.came_back(name, back)

    def to_give_back(self, user: Any) -> list[SeatOfMatch]:
        seats = Seat.objects.filter(user=user, match__status="active").exclude(stand_in="")
        return list(seats.values_list("match_id", "index"))

    def came_back(self, name: str, back: list[SeatOfMatch]) -> None:
        self.closed.remove(name)
        self.noted("lift_suspension", self.ids[name])
        for match_id, seat in back:
            self.noted("give_back", match_id)
            del self.models[match_id].handed[seat]
        if self.stopped == name:
            self.stopped = ""

    @precondition(lambda self: not self.erasing)
    @rule(name=names, stops=st.booleans(), sometimes=number)
    def erase(self, name: str, stops: bool, sometimes: int) -> None:
        user = self.user(name)
        if sometimes % 4 or self.stopped not in ("", name):
            return
        call = lambda: people.erase(user_id=user.pk, by=self.operator)  # noqa: E731
        if not self.closes(name, call, stops=stops):
            assert user.is_staff
            return
        self.closed.add(name)
        if stops:
            self.erasing = True
        else:
            self.is_erased(name)

    def is_erased(self, name: str) -> None:
        """Somebody else comes for them."""
        self.noted("erase", self.ids[name])
        self.gone.append(self.ids[name])
        self.closed.remove(name)
        self.ids[name], self.told[name] = open_guest().pk, self.told[""]
        if self.stopped == name:
            self.stopped, self.erasing = "", False

    @rule(days=st.sampled_from([0, 0, 1]))
    def the_beat_looks_after(self, days: int) -> None:
        """Suspensions end; what was begun and not finished is finished."""
        with self.later(MINUTE + days * DAY.total_seconds()):
            self.suspensions_end()
            people.finish_erasures()
            if self.stopped and self.erasing:
                self.is_erased(self.stopped)
            self.seats_left_behind_are_found()

    def suspensions_end(self) -> None:
        ended = {}
        for name in self.closed - ({self.stopped} if self.erasing else set()):
            running = Suspension.objects.get(user=self.ids[name], lifted_at=None)
            if running.until and running.until <= self.clock:
                ended[name] = self.to_give_back(self.ids[name])
        people.lift_what_has_ended()
        for name, back in ended.items():
            self.came_back(name, back)

    def seats_left_behind_are_found(self) -> None:
        seats: list[SeatOfMatch] = []
        if self.stopped:
            user = self.ids[self.stopped]
            returns = Suspension.objects.get(user=user, lifted_at=None).until is not None
            seats = self.to_hand_over(user) if returns else []
        people.mend()
        assert people.mend() == 0
        self.handed_over(seats)
        self.stopped = ""
