"""The same once more, seats rotated by one."""

import pytest

from config.refusals import NotAllowed
from decks.models import Deck
from games.matches import joining
from games.matches.joining import open_rematch
from games.matches.models import Match, Seat
from games.matches.refusals import MatchNotOver, NoSuchMatch
from tests.matches.scenes import opened, played, resigned, short


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
