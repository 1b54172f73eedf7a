"""Idempotency keys: the same call again gives the first answer again."""

import pytest

from cardroom.rules import catalog
from games.api.match_answers import match_response
from games.matches import joining
from games.matches.models import Ply
from games.matches.refusals import KeyOfAnotherMove, NotYourSeat, StaleVersion
from games.matches.selectors.access import Caller
from tests.matches.scenes import move, now, opened, played, resigned, short


def joined(ada, ben):
    return joining.join(match_id=opened(ada, "me, open").id, user=ben)


class TestTheSameKeyAgain:
    def test_applies_nothing_and_gives_the_first_answer(self, ada):
        match = opened(ada, turn_seconds=60)
        first = move(match, key="a")
        assert move(match, key="a") == first
        assert now(match) == first
        assert Ply.objects.filter(match_id=match.id).count() == 2

    @pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
    def test_much_later_and_after_the_end(self, ada, game):
        match = played(short(ada, game, turn_seconds=60), 4)
        first = move(match, key="a")
        for later in (played(first, first.version + 5), played(now(match))):
            assert later.version > first.version
            again = move(match, key="a")
            assert match_response(again, ada.id) == match_response(first, ada.id)

    def test_whatever_version_the_second_call_names(self, ada):
        match = opened(ada)
        played_move = match.rules.legal_moves(match.state, 0)[0]
        first = move(match, played_move, seat=0, key="a")
        assert move(match, played_move, seat=0, key="a", version=99) == first

    @pytest.mark.parametrize("change", [{"seat": 1}, {"to": "nonsense"}, {"to": "another"}])
    def test_with_another_move_or_seat_is_refused(self, ada, change):
        match = opened(ada)
        first, other = match.rules.legal_moves(match.state, 0)[:2]
        after = move(match, first, seat=0, key="a")
        to = {"another": other, "nonsense": "nonsense"}.get(change.get("to"), first)
        with pytest.raises(KeyOfAnotherMove):
            move(match, to, seat=change.get("seat", 0), key="a")
        assert now(match) == after

    def test_another_spelling_of_the_move_is_the_same_move(self, ada):
        match = opened(ada, game="shithead", options={"exchange": False})
        while True:
            moves = match.rules.legal_moves(match.state, match.to_act[0])
            pair = next((each for each in moves if each.count(" ") == 1), None)
            if pair is not None:
                break
            match = move(match)
        first = move(match, pair, key="a")
        assert move(match, " ".join(reversed(pair.split())), key="a") == first

    def test_of_the_move_that_turned_the_round(self, ada):
        match = played(opened(ada), 47)
        first = move(match, key="a")
        assert first.round == 2
        played(first, 60)
        assert move(match, key="a") == first

    def test_after_resignations(self, ada):
        match = opened(ada, "me, local, local", options={"players": 3})
        first = move(match, key="a")
        played(resigned(first, 2), 20)
        assert move(match, key="a") == first

    def test_in_the_simultaneous_exchange_the_deadline_is_the_shared_one(self, ada):
        match = opened(ada, game="shithead", turn_seconds=60)
        first = move(match, "ready", 0, key="a")
        assert first.deadline_at == match.deadline_at
        move(first, "ready", 1)
        assert move(match, "ready", 0, key="a") == first


class TestAKey:
    def test_refused_is_free_again(self, ada):
        match = opened(ada)
        with pytest.raises(StaleVersion):
            move(match, key="a", version=1)
        assert move(match, key="a").version == 1

    def test_of_another_player_is_another_key(self, ada, ben):
        match = joined(ada, ben)
        first = move(match, key="1")
        second = move(first, key="1")
        assert (first.version, second.version) == (1, 2)
        assert move(match, key="1") == first
        assert move(first, key="1") == second

    def test_gives_a_stranger_nothing(self, ada, cleo):
        match = opened(ada)
        move(match, key="a")
        with pytest.raises(NotYourSeat):
            move(match, key="a", caller=Caller(user=cleo.id))

    def test_of_another_match_is_another_key(self, ada):
        assert move(opened(ada), key="a").version == move(opened(ada), key="a").version == 1
