"""Acts of people at their tables."""

from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from accounts.models import User
from config.refusals import NotSignedIn
from games.matches import joining, leaving, loading, moves, overdue
from games.matches.refusals import StaleVersion
from games.matches.selectors.access import Caller, get_match
from games.matches.selectors.lineage import standing_rounds
from tests.matches.machine.tables import MOST, NAMES, SECONDS, Stopped, Tables, names, number
from tests.matches.scenes import now, opened

AT_ZERO = ("resign", "bot_move", "bot_takes_over")
TABLES = (
    *("me, open", "me, local Twin", "me, bot random", "me, user {other}"),
    *("me, open, user {other}", "me, local Twin, bot random"),
)


class Players(Tables):
    def __init__(self) -> None:
        super().__init__()
        self.keys: dict[str, tuple[Any, str, int, str, int]] = {}

    @initialize(at_zero=st.sampled_from(AT_ZERO), three=st.booleans())
    def begin(self, at_zero: str, three: bool) -> None:
        self.terms = {"turn_seconds": SECONDS, "on_timeout": at_zero}
        seats = "me, open, open" if three and self.game.max_seats > 2 else "me, open"
        with self.later():
            match = self.add(self.opened("ada", seats))
            for name in NAMES[1 : len(match.seats)]:
                joining.join(match_id=match.id, user=self.user(name))

    def opened(self, name: str, seats: str) -> Any:
        players = seats.count(",") + 1
        options = {"players": players} if players > 2 else {}
        return opened(self.user(name), seats, self.game.slug, options=options, **self.terms)

    # Opening, coming and going

    @precondition(lambda self: len(self.models) < MOST)
    @rule(name=names, other=names, kind=st.sampled_from(TABLES))
    def open(self, name: str, other: str, kind: str) -> None:
        if kind.count(",") >= self.game.max_seats:
            return
        seats = kind.format(other=self.user(other).username)
        match = self.attempt(lambda: self.opened(name, seats))
        if hasattr(match, "id"):
            assert name not in self.closed
            self.add(match)

    @rule(name=names, at=number)
    def join(self, name: str, at: int) -> None:
        match, user = self.one_of(at, "open") or self.match(at), self.user(name)
        declined = any(s.invited_id == user.pk and s.declined for s in match.seats)
        free = any(s.kind == "open" and s.invited_id is None for s in match.seats)
        if self.did(lambda: joining.join(match_id=match.id, user=user)):
            assert match.status == "open"
            assert name not in self.closed
            assert free or not declined

    @rule(name=names, at=number)
    def leave_or_decline(self, name: str, at: int) -> None:
        match, user = self.one_of(at, "open") or self.match(at), self.user(name)
        if not self.did(lambda: joining.leave(match_id=match.id, user=user, reason="busy")):
            return
        after = now(match)
        assert user.pk not in [seat.user_id for seat in after.seats] or after.is_over
        assert not after.is_invited(user.pk) or after.is_over

    @rule(at=number, other=names, how=st.sampled_from(["invite", "open", "fill"]))
    def host_goes_on(self, at: int, other: str, how: str) -> None:
        """After an invitation was declined, or before it is answered."""
        match, invited = self.one_of(at, "open") or self.match(at), self.user(other)
        seat = {"match_id": match.id, "seat": len(match.seats) - 1}
        seat["host"] = User.objects.get(pk=match.creator_id)
        if how == "open":
            self.attempt(lambda: joining.open_seat(**seat))
        elif how == "invite":
            invite = {**seat, "username": invited.username}
            if self.did(lambda: joining.invite(**invite)):
                assert other not in self.closed
        elif self.did(lambda: joining.fill_seat(**seat, bot="random")):
            people = sum(not seat.bot for seat in now(match).seats)
            self.models[match.id].rated &= self.game.bot("random").rated and people <= 1

    # Playing

    def play(self, match: Any, seat: int, move: str, version: int, key: str | None = None) -> Any:
        caller = Caller(user=match.seats[seat].user_id)
        asked = {"match_id": match.id, "caller": caller, "version": version, "key": key}
        return moves.play(move=move, seat=seat, **asked).match

    @rule(at=number, seat=number, move=number, keyed=st.booleans(), stops=number)
    def move(self, at: int, seat: int, move: int, keyed: bool, stops: int) -> None:
        match = self.match(at)
        if not match.people_to_act or self._time_is_up(match):
            return
        seat = match.people_to_act[seat % len(match.people_to_act)]
        legal, version = match.rules.legal_moves(match.state, seat), match.version
        key = f"key {match.id} {version}" if keyed else None
        call = match, seat, legal[move % len(legal)], version, key
        if self.name_of(match.seats[seat].user_id) in self.closed:  # and left behind
            assert isinstance(self.attempt(lambda: self.play(*call)), NotSignedIn)
            return
        with self.later():
            self._play_or_stop(call, stops=stops % 4 == 0)
        (ply,) = self.models[match.id].follow(now(match))
        assert ply.seat == seat
        if key:
            self.keys[key] = match.id, seat, ply.move, version, str(match.seats[seat].user_id)

    def _play_or_stop(self, call: Any, *, stops: bool) -> None:
        """Also by a process that ends between the commit and the announcement."""
        if not stops:
            assert self.play(*call).version == call[3] + 1
            return
        with patch.object(moves, "announce", side_effect=Stopped), pytest.raises(Stopped):
            self.play(*call)

    def _time_is_up(self, match: Any) -> bool:
        return match.deadline_at is not None and match.deadline_at <= self.clock

    @precondition(lambda self: self.keys)
    @rule(at=number)
    def send_again(self, at: int) -> None:
        """Also what was rolled back or folded since, and from a seat that a bot plays now."""
        key = sorted(self.keys)[at % len(self.keys)]
        match_id, seat, move, version, user = self.keys[key]
        if user not in map(str, self.ids.values()) or self.name_of_text(user) in self.closed:
            return
        with self.later():
            again = self.play(get_match(match_id), seat, move, version, key)
        assert again.version == version + 1

    def name_of_text(self, user: str) -> str:
        return next(name for name, known in self.ids.items() if str(known) == user)

    @rule(at=number)
    def move_for_another_version(self, at: int) -> None:
        match = self.match(at)
        if not match.version or not match.people_to_act or self._time_is_up(match):
            return
        seat = match.people_to_act[0]
        said = self.attempt(lambda: self.play(match, seat, "nonsense", match.version + 1))
        may = self.name_of(match.seats[seat].user_id) not in self.closed
        assert isinstance(said, StaleVersion if may else NotSignedIn)

    @rule(at=number, seat=number, sometimes=number)
    def resign(self, at: int, seat: int, sometimes: int) -> None:
        match = self.match(at)
        seat %= len(match.seats)
        if sometimes % 8 == 0:
            caller = Caller(user=match.seats[seat].user_id)
            call = {"match_id": match.id, "caller": caller, "seat": seat}
            self.attempt(lambda: leaving.resign(**call))

    @rule(name=names, at=number, seat=number)
    def reclaim(self, name: str, at: int, seat: int) -> None:
        match, user = self.match(at), self.user(name)
        handed = self.models[match.id].handed
        seat %= len(match.seats)
        if self.did(lambda: overdue.reclaim(match_id=match.id, user=user, seat=seat)):
            assert name not in self.closed
            assert handed.pop(seat, True)

    @rule(name=names, at=number)
    def give_time(self, name: str, at: int) -> None:
        match, user = self.match(at), self.user(name)
        if self.did(lambda: overdue.give_time(match_id=match.id, user=user)):
            assert now(match).deadline_at >= match.deadline_at

    # From one match to the next

    @precondition(lambda self: len(self.models) < MOST)
    @rule(name=names, at=number, back=number, cards=st.sampled_from(["same", "reshuffled"]))
    def load(self, name: str, at: int, back: int, cards: Any) -> None:
        """From a running match, one that is over and one that is folded."""
        old, user = self.match(at), self.user(name)
        call = {"version": max(0, old.version - back % 12), "cards": cards}
        match = self.attempt(lambda: loading.load(match_id=old.id, user=user, **call))
        if not hasattr(match, "id"):
            return
        assert name not in self.closed
        self.add(match, parent=match.parent_id)
        if cards == "same" and self._is_in_use(get_match(match.parent_id), match.parent_version):
            self.models[match.parent_id].rated = False

    def _is_in_use(self, match: Any, version: int) -> bool:
        """A person who plays on with these cards knows what lies in the running match."""
        lies = match.rules.needs_side_deck
        opened = standing_rounds(match, version, with_cards=False)[-1]
        return match.status == "active" and (lies or opened.number == match.round)

    @precondition(lambda self: len(self.models) < MOST)
    @rule(name=names, at=number)
    def ask_for_a_rematch(self, name: str, at: int) -> None:
        old, user = self.one_of(at, "finished", "aborted") or self.match(at), self.user(name)
        match = self.attempt(lambda: joining.open_rematch(match_id=old.id, user=user))
        if hasattr(match, "id"):
            assert name not in self.closed or match.id in self.models
            self.add(match)
