"""The one door of moves: what is applied, what is refused by which cause, what is written."""

from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from cardroom.rules import catalog
from config.refusals import NotSignedIn, Refusal
from games.matches import joining, moves
from games.matches.models import Ply, Round
from games.matches.refusals import IllegalMove, MatchNotActive, NoSuchMatch, StaleVersion
from games.matches.selectors.access import Caller
from tests.matches.scenes import move, now, opened, played, played_to_round, short


class TestApplied:
    def test_the_match_moves_on_by_one(self, ada):
        match = opened(ada)
        card = match.state.hands[0][0]
        after = move(match)
        assert (after.version, list(after.to_act)) == (1, [1])
        assert after == now(after)
        assert card not in after.state.hands[0]
        ply = Ply.objects.get(match_id=match.id, version=1)
        assert (ply.seat, ply.move) == (0, match.rules.card_text(card))
        assert ply.at == after.updated_at

    def test_a_move_for_a_bot_leaves_a_debt(self, ada):
        after = move(opened(ada, "me, bot greedy"))
        assert after.bot_due_at == after.updated_at

    def test_the_move_that_turns_a_round_saves_the_next(self, ada):
        match = played_to_round(opened(ada), 2)
        first, second = Round.objects.filter(match_id=match.id).order_by("number")
        assert first.closed_at == second.opened_at == match.updated_at
        assert (first.scores, second.scores) == ([s.points for s in match.seats], None)
        assert (second.opening_version, match.version) == (48, 48)
        assert bytes(second.opening_state) == bytes(match.state_json)
        assert match.shuffles_used == len(msgspec.json.decode(bytes(first.decks))) + len(
            msgspec.json.decode(bytes(second.decks))
        )

    @pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
    def test_the_last_move_ends_the_match(self, ada, game):
        match = played(short(ada, game))
        assert (match.status, list(match.to_act)) == ("finished", [])
        assert (match.bot_due_at, match.deadline_at) == (None, None)
        assert match.finished_at == match.updated_at
        assert match.outcome == match.rules.outcome(match.state)
        assert [seat.place for seat in match.seats] == list(match.outcome.places)
        assert [match.seats[side[0]].points for side in match.sides] == list(match.outcome.points)
        assert replace(match, has_loads=False) == now(match)  # nobody did

    def test_recorded_in_its_own_spelling(self, ada):
        match = played(opened(ada, game="shithead", options={"exchange": False}), 3)
        pairs = (m for m in match.rules.legal_moves(match.state, match.to_act[0]) if " " in m)
        text = next(pairs, match.rules.legal_moves(match.state, match.to_act[0])[0])
        move(match, " ".join(reversed(text.split(" "))) if text[0] != "b" else text)
        written = Ply.objects.get(match_id=match.id, version=match.version + 1).move
        assert sorted(written.split(" ")) == sorted(text.split(" "))


class TestRefused:
    @pytest.mark.parametrize(
        ("text", "said", "code"),
        [
            ("nonsense", {}, "malformed_move"),
            ("", {"caller": Caller()}, "not_authenticated"),
            ("", {"caller": Caller(digest="?")}, "not_authenticated"),
            ("", {"version": 1}, "stale_version"),
        ],
    )
    def test_by_cause_and_nothing_changes(self, ada, text, said, code):
        match = opened(ada)
        with pytest.raises(Refusal) as refused:
            move(match, text, **said)
        assert refused.value.code == code
        assert now(match) == match

    def test_only_in_turn_and_only_on_ones_own_seat(self, ada, ben):
        match = joining.join(match_id=opened(ada, "me, open").id, user=ben)
        card = match.rules.legal_moves(match.state, 0)[0]
        for user, seat, code in [
            (ben, 1, "not_your_turn"),
            (ben, None, "not_your_turn"),
            (ben, 0, "not_your_seat"),
            (ada, 1, "not_your_seat"),
            (ada, 7, "not_your_seat"),
        ]:
            with pytest.raises(Refusal) as refused:
                moves.play(
                    match_id=match.id, caller=Caller(user=user.id), move=card, version=0, seat=seat
                )
            assert refused.value.code == code
        assert now(match) == match

    def test_an_illegal_move_says_what_is_legal(self, ada):
        match = opened(ada)
        held = {match.rules.card_text(card) for card in match.state.hands[0]}
        other = next(card for card in ("2C", "3C", "4C", "5C", "6C") if card not in held)
        with pytest.raises(IllegalMove) as refused:
            move(match, other, 0)
        assert refused.value.code == "illegal_move"
        assert refused.value.extras["reason"]
        told = [legal["move"] for legal in refused.value.extras["legal_moves"]]
        assert told == list(match.rules.legal_moves(match.state, 0))
        assert now(match) == match

    def test_a_stale_version_comes_with_the_match_as_it_stands(self, ada):
        match = opened(ada)
        after = move(match)
        with pytest.raises(StaleVersion) as refused:
            move(match, "2C", 0)
        assert refused.value.match == after
        assert refused.value.extras == {"version": 1}

    def test_no_such_match(self, ada):
        with pytest.raises(NoSuchMatch):
            moves.play(match_id=UUID(int=7), caller=Caller(user=ada.id), move="7H", version=0)

    def test_a_stranger_does_not_learn_of_a_private_match(self, ada, ben):
        match = opened(ada, visibility="private")
        with pytest.raises(NoSuchMatch):
            move(match, caller=Caller(user=ben.id))

    def test_not_before_the_start_and_not_after_the_end(self, ada):
        waiting, over = opened(ada, "me, open"), played(short(ada, "pazaak"))
        for match in (waiting, over):
            with pytest.raises(MatchNotActive, match="not running"):
                move(match, "stand", 0)
            assert now(match) == replace(match, has_loads=False)

    def test_a_user_who_was_switched_off_has_no_moves(self, ada):
        match = opened(ada)
        ada.is_active = False
        ada.save()
        with pytest.raises(NotSignedIn):
            move(match)


class TestSeat:
    def test_who_sits_once_need_not_say_where(self, ada):
        match = opened(ada, "me, bot random")
        text = match.rules.legal_moves(match.state, 0)[0]
        caller = Caller(user=ada.id)
        assert moves.play(match_id=match.id, caller=caller, move=text, version=0).seat == 0

    def test_at_one_device_the_seat_to_act_is_meant(self, ada):
        match = move(opened(ada))
        text = match.rules.legal_moves(match.state, 1)[0]
        caller = Caller(user=ada.id)
        assert moves.play(match_id=match.id, caller=caller, move=text, version=1).seat == 1
