"""Joining and leaving while a match is open; a full match starts."""

import pytest

from config.refusals import NotAllowed
from games.matches import joining
from games.matches.refusals import AlreadySeated, MatchNotOpen, NoSuchMatch, SeatTaken, UnknownDeck
from games.matches.selectors.lists import find_matches
from tests.matches.scenes import now, opened


def join(match, user, **where):
    return joining.join(match_id=match.id, user=user, **where)


def leave(match, user):
    return joining.leave(match_id=match.id, user=user)


class TestJoining:
    def test_the_last_free_seat_starts_the_match(self, ada, ben):
        match = join(opened(ada, "me, open"), ben)
        assert (match.status, match.round) == ("active", 1)
        assert (match.seats[1].kind, match.seats[1].user_id, match.seats[1].name) == (
            "user",
            ben.id,
            "Ben",
        )

    def test_a_seat_of_ones_choice(self, ada, ben):
        match = join(opened(ada, "me, open, open", options={"players": 3}), ben, seat=2)
        assert (match.status, [s.kind for s in match.seats]) == ("open", ["user", "open", "user"])

    def test_the_invited_sit_on_their_seat(self, ada, ben):
        open_one = opened(ada, "me, open, user ben", options={"players": 3})
        assert join(open_one, ben).seats[2].user_id == ben.id

    @pytest.mark.parametrize("seat", [0, 1, 2, 9])
    def test_no_seat_but_a_free_one(self, ada, ben, cleo, seat):
        match = opened(ada, "me, bot random, user ben", options={"players": 3})
        with pytest.raises(SeatTaken):
            join(match, cleo, seat=seat)
        assert now(match) == match

    def test_nobody_sits_twice(self, ada):
        with pytest.raises(AlreadySeated):
            join(opened(ada, "me, open"), ada)

    def test_not_into_a_running_match(self, ada, ben, cleo):
        match = join(opened(ada, "me, open"), ben)
        with pytest.raises(SeatTaken):
            join(match, cleo)
        with pytest.raises(AlreadySeated):
            join(match, ben)

    def test_a_private_match_is_not_there_for_strangers(self, ada, ben, cleo):
        match = opened(ada, "me, user ben", visibility="private")
        with pytest.raises(NoSuchMatch):
            join(match, cleo)
        assert join(match, ben).status == "active"

    def test_without_the_deck_named_nobody_sits_down(self, ada, ben):
        match = opened(ada, "me, open", "pazaak")
        with pytest.raises(UnknownDeck):
            join(match, ben, deck="mine")
        assert now(match) == match


class TestLeaving:
    def test_gives_the_seat_back(self, ada, ben, cleo):
        match = opened(ada, "me, open, open", options={"players": 3})
        match = leave(join(match, ben), ben)
        assert (match.seats[1].kind, match.seats[1].user_id, match.seats[1].name) == (
            "open",
            None,
            "",
        )
        assert join(match, cleo).seats[1].user_id == cleo.id

    @pytest.mark.parametrize("visibility", ["public", "unlisted", "private"])
    def test_a_seat_that_was_declined_is_kept(self, ada, ben, cleo, visibility):
        match = opened(ada, "me, user ben", visibility=visibility)
        match = joining.leave(match_id=match.id, user=ben, reason="busy")
        seat = match.seats[1]
        assert (match.status, seat.kind, seat.name, seat.declined) == (
            "open",
            "open",
            "Ben",
            "busy",
        )
        assert not match.is_invited(ben.id)
        hidden = NoSuchMatch if visibility == "private" else SeatTaken
        for person in (ben, cleo):
            for where in ({}, {"seat": 1}):
                with pytest.raises(hidden):
                    join(match, person, **where)
        assert find_matches(user=cleo.id, joinable=True).filter(id=match.id).first() is None

    def test_declining_again_changes_nothing(self, ada, ben):
        match = opened(ada, "me, user ben", visibility="private")
        joining.leave(match_id=match.id, user=ben, reason="time")
        before = now(match)
        assert joining.leave(match_id=match.id, user=ben, reason="busy") == before
        assert now(match) == before

    def test_who_leaves_a_private_match_leaves_a_kept_seat(self, ada, ben, cleo):
        options = {"players": 3}
        match = opened(ada, "me, user ben, user cleo", visibility="private", options=options)
        match = leave(join(match, ben), ben)
        assert (match.status, match.seats[1].declined) == ("open", "generic")

    def test_the_creator_leaving_calls_it_off(self, ada, ben):
        match = leave(opened(ada, "me, open"), ada)
        assert (match.status, match.outcome.reason, match.outcome.winners) == (
            "aborted",
            "aborted",
            (),
        )
        with pytest.raises(MatchNotOpen):
            join(match, ben)
        with pytest.raises(MatchNotOpen):
            leave(match, ada)

    def test_who_has_no_seat_has_none_to_give(self, ada, ben):
        match = opened(ada, "me, open")
        with pytest.raises(NotAllowed):
            leave(match, ben)
        assert now(match) == match

    def test_not_from_a_running_match(self, ada):
        with pytest.raises(MatchNotOpen, match="resign"):
            leave(opened(ada), ada)


def test_joining_a_match_that_was_called_off_says_so(ada, ben):
    match = opened(ada, "me, open")
    joining.leave(match_id=match.id, user=ada)
    with pytest.raises(MatchNotOpen, match="called off"):
        joining.join(match_id=match.id, user=ben)
