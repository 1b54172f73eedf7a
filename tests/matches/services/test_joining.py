"""Joining and leaving while a match is open; a full match starts."""

import pytest

from games.matches.refusals import (
    AlreadySeated,
    MatchNotOpen,
    NotAllowed,
    NotFound,
    SeatTaken,
    UnknownDeck,
)
from games.matches.services import joining
from tests.matches.scenes import now, opened


def join(table, user, **where):
    return joining.join(match_id=table.id, user=user, **where)


def leave(table, user):
    return joining.leave(match_id=table.id, user=user)


class TestJoining:
    def test_the_last_free_seat_starts_the_match(self, ada, ben):
        table = join(opened(ada, "me, open"), ben)
        assert (table.status, table.round) == ("active", 1)
        assert (table.seats[1].kind, table.seats[1].user, table.seats[1].name) == (
            "user",
            ben.id,
            "Ben",
        )

    def test_a_seat_of_ones_choice(self, ada, ben):
        table = join(opened(ada, "me, open, open", options={"players": 3}), ben, seat=2)
        assert (table.status, [s.kind for s in table.seats]) == ("open", ["user", "open", "user"])

    def test_the_invited_sit_on_their_seat(self, ada, ben):
        open_one = opened(ada, "me, open, user ben", options={"players": 3})
        assert join(open_one, ben).seats[2].user == ben.id

    @pytest.mark.parametrize("seat", [0, 1, 2, 9])
    def test_no_seat_but_a_free_one(self, ada, ben, cleo, seat):
        table = opened(ada, "me, bot random, user ben", options={"players": 3})
        with pytest.raises(SeatTaken):
            join(table, cleo, seat=seat)
        assert now(table) == table

    def test_nobody_sits_twice(self, ada):
        with pytest.raises(AlreadySeated):
            join(opened(ada, "me, open"), ada)

    def test_not_into_a_running_match(self, ada, ben, cleo):
        table = join(opened(ada, "me, open"), ben)
        with pytest.raises(SeatTaken):
            join(table, cleo)
        with pytest.raises(AlreadySeated):
            join(table, ben)

    def test_a_private_match_is_not_there_for_strangers(self, ada, ben, cleo):
        table = opened(ada, "me, user ben", visibility="private")
        with pytest.raises(NotFound):
            join(table, cleo)
        assert join(table, ben).status == "active"

    def test_without_the_deck_named_nobody_sits_down(self, ada, ben):
        table = opened(ada, "me, open", "pazaak")
        with pytest.raises(UnknownDeck):
            join(table, ben, deck="mine")
        assert now(table) == table


class TestLeaving:
    def test_gives_the_seat_back(self, ada, ben, cleo):
        table = opened(ada, "me, open, open", options={"players": 3})
        table = leave(join(table, ben), ben)
        assert (table.seats[1].kind, table.seats[1].user, table.seats[1].name) == ("open", None, "")
        assert join(table, cleo).seats[1].user == cleo.id

    def test_an_invitation_declined_is_an_open_seat(self, ada, ben, cleo):
        table = leave(opened(ada, "me, user ben"), ben)
        assert not table.is_invited(ben.id)
        assert join(table, cleo).status == "active"

    def test_the_creator_leaving_calls_it_off(self, ada, ben):
        table = leave(opened(ada, "me, open"), ada)
        assert (table.status, table.outcome.reason, table.outcome.winners) == (
            "aborted",
            "aborted",
            (),
        )
        with pytest.raises(SeatTaken):
            join(table, ben)
        with pytest.raises(MatchNotOpen):
            leave(table, ada)

    def test_who_has_no_seat_has_none_to_give(self, ada, ben):
        table = opened(ada, "me, open")
        with pytest.raises(NotAllowed):
            leave(table, ben)
        assert now(table) == table

    def test_not_from_a_running_match(self, ada):
        with pytest.raises(MatchNotOpen, match="resign"):
            leave(opened(ada), ada)
