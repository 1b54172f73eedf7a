"""Joining and leaving while a match is open; a full match starts."""

import pytest

from accounts.social.services import block
from config.refusals import NotAllowed
from decks.models import Deck
from games.matches import joining
from games.matches.joining import open_rematch
from games.matches.models import Match, Seat
from games.matches.refusals import (
    AlreadySeated,
    MatchNotOpen,
    MatchNotOver,
    NoSuchMatch,
    SeatTaken,
    UnknownDeck,
)
from games.matches.selectors.lists import find_matches
from tests.matches.scenes import now, opened, played, resigned, short
from tests.web.browsing import signed_in


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


# The same once more, seats rotated by one.


def rematch(match, user):
    return open_rematch(match_id=match.id, user=user)


@pytest.fixture
def over(ada, ben):
    """Ada and Ben have played a match of Pazaak."""
    return resigned(joining.join(match_id=short(ada, "pazaak", "me, open").id, user=ben), 0)


def test_alone_with_a_bot_it_starts_at_once(ada):
    old = resigned(opened(ada, "me, bot greedy", preset="single", turn_seconds=60), 0)
    new = rematch(old, ada)
    assert (new.status, new.previous_id, new.turn_seconds) == ("active", old.id, 60)
    assert [seat.name for seat in new.seats] == ["Greedy", "Ada"]
    assert (new.options, new.visibility, new.rated) == (old.options, old.visibility, old.rated)
    assert new.seed != old.seed
    assert [seat.points for seat in new.seats] == [0, 0]
    assert {seat.resigned_at for seat in new.seats} == {None}


def test_another_person_is_invited_and_keeps_the_deck(over, ada, ben):
    new = rematch(over, ada)
    assert (new.status, new.seats[0].invited_id, new.seats[1].user_id) == ("open", ben.id, ada.id)
    started = joining.join(match_id=new.id, user=ben)
    assert started.status == "active"
    assert [s.side_deck for s in started.seats] == [s.side_deck for s in reversed(over.seats)]


def test_both_press_the_button_and_meet(over, ada, ben):
    first = rematch(over, ada)
    second = rematch(over, ben)
    assert (second.id, second.status) == (first.id, "active")
    assert Match.objects.filter(previous_id=over.id).count() == 1


def test_three_seats_move_round(ada):
    old = resigned(opened(ada, "me, bot greedy, bot random", options={"players": 3}), 0)
    new = rematch(played(old), ada)
    assert [seat.name for seat in new.seats] == ["Greedy", "Random", "Ada"]


def test_also_of_a_match_that_was_called_off(ada):
    match = joining.leave(match_id=opened(ada, "me, open").id, user=ada)
    assert rematch(match, ada).status == "open"


def test_not_while_it_runs(ada):
    with pytest.raises(MatchNotOver):
        rematch(opened(ada), ada)


def test_not_by_who_did_not_play(over, cleo):
    with pytest.raises(NotAllowed):
        rematch(over, cleo)
    assert Match.objects.count() == 1


def test_not_of_what_one_may_not_see(ada, ben):
    match = resigned(opened(ada, visibility="private"), 0)
    with pytest.raises(NoSuchMatch):
        rematch(match, ben)


def test_the_decks_of_the_match_whatever_the_default_is_by_now(over, ada, ben):
    Deck.objects.create(owner=ben, name="New", cards=["P1"] * 10, is_default=True)
    started = joining.join(match_id=rematch(over, ada).id, user=ben)
    assert started.seats[0].side_deck == over.seats[1].side_deck


def test_another_deck_may_be_named(over, ada, ben):
    deck = Deck.objects.create(owner=ben, name="New", cards=["P1"] * 10)
    started = joining.join(match_id=rematch(over, ada).id, user=ben, deck=str(deck.id))
    assert started.seats[0].side_deck == ("P1",) * 10


def test_a_deck_that_the_game_does_not_need_stays_behind(ada):
    """Matches from before 0.2 have some: whoever had a default deck brought it to every game."""
    old = resigned(opened(ada, "me, bot greedy"), 0)
    Seat.objects.filter(match_id=old.id).update(side_deck=["+1"] * 10)
    assert {seat.side_deck for seat in rematch(old, ada).seats} == {None}


# Nobody sits down beside a person who has blocked them; neither finds the table of the other.


def table(host, seats="me, open, open, open"):
    return opened(host, seats, visibility="public", options={"players": 4})


def listed(user):
    return {match.id for match in find_matches(user=user.id, joinable=True)}


def test_the_hosts_table_is_none_for_a_person_they_blocked(ada, ben):
    match = table(ada)
    block(owner=ada, blocked=ben.pk)
    with pytest.raises(SeatTaken, match="taken or kept for somebody"):
        joining.join(match_id=match.id, user=ben)


def test_so_is_one_at_which_a_person_sits_who_blocked_them(ada, ben, cleo):
    match = table(ada)
    joining.join(match_id=match.id, user=cleo)
    block(owner=cleo, blocked=ben.pk)
    with pytest.raises(SeatTaken):
        joining.join(match_id=match.id, user=ben, seat=2)


def test_whoever_blocks_may_sit_down_all_the_same(ada, ben):
    match = table(ada)
    block(owner=ben, blocked=ada.pk)
    assert joining.join(match_id=match.id, user=ben).seats[1].user_id == ben.pk


def test_an_invitation_of_the_host_holds(ada, ben, cleo):
    match = table(ada)
    joining.join(match_id=match.id, user=cleo)
    block(owner=cleo, blocked=ben.pk)
    joining.invite(match_id=match.id, host=ada, seat=2, username=ben.username)
    assert joining.join(match_id=match.id, user=ben).seats[2].user_id == ben.pk


@pytest.mark.parametrize("by_host", [True, False])
def test_neither_finds_it(ada, ben, cleo, by_host):
    match = table(ada)
    joining.join(match_id=match.id, user=cleo)
    assert listed(ben) == {match.id}
    owner, blocked = (ada, ben) if by_host else (ben, cleo)
    block(owner=owner, blocked=blocked.pk)
    assert listed(ben) == set()


def test_the_page_offers_no_seat_and_says_no_more_than_of_a_kept_one(ada, ben):
    match = table(ada)
    assert "Sit down here" in signed_in(ben).open(f"/matches/{match.id}").text
    block(owner=ada, blocked=ben.pk)
    page = signed_in(ben).open(f"/matches/{match.id}").text
    assert "Sit down here" not in page
    assert "No seat is free for you." in page


def test_running_tables_of_either_are_not_offered_to_watch(ada, ben):
    match = opened(ada, "me, bot greedy", visibility="public")
    assert str(match.id) in signed_in(ben).open("/lobby").page
    block(owner=ada, blocked=ben.pk)
    assert str(match.id) not in signed_in(ben).open("/lobby").page
