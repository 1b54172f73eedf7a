"""The one door of moves: what is applied, what is refused by which cause, what is written."""

from uuid import UUID

import msgspec
import pytest

from config.refusals import Refused
from games.matches.models import Ply, Round
from games.matches.refusals import (
    MatchNotActive,
    MoveNotAccepted,
    NotFound,
    NotSignedIn,
    StaleVersion,
)
from games.matches.selectors.access import Caller
from games.matches.services import joining, moves
from games.rules import catalog
from tests.matches.scenes import move, now, opened, played, played_to_round, short


class TestApplied:
    def test_the_match_moves_on_by_one(self, ada):
        table = opened(ada)
        card = table.state.hands[0][0]
        after = move(table)
        assert (after.version, list(after.to_act)) == (1, [1])
        assert after == now(after)
        assert card not in after.state.hands[0]
        ply = Ply.objects.get(match_id=table.id, version=1)
        assert (ply.seat, ply.move) == (0, table.game.card_text(card))
        assert ply.at == after.updated_at

    def test_a_move_for_a_bot_leaves_a_debt(self, ada):
        after = move(opened(ada, "me, bot greedy"))
        assert after.bot_due_at == after.updated_at

    def test_the_move_that_turns_a_round_saves_the_next(self, ada):
        table = played_to_round(opened(ada), 2)
        first, second = Round.objects.filter(match_id=table.id).order_by("number")
        assert first.closed_at == second.opened_at == table.updated_at
        assert (first.scores, second.scores) == ([s.points for s in table.seats], None)
        assert (second.opening_version, table.version) == (48, 48)
        assert bytes(second.opening_state) == bytes(table.state_json)
        assert table.shuffles_used == len(msgspec.json.decode(bytes(first.decks))) + len(
            msgspec.json.decode(bytes(second.decks))
        )

    @pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
    def test_the_last_move_ends_the_match(self, ada, game):
        table = played(short(ada, game))
        assert (table.status, list(table.to_act)) == ("finished", [])
        assert (table.bot_due_at, table.deadline_at) == (None, None)
        assert table.finished_at == table.updated_at
        assert table.outcome == table.game.outcome(table.state)
        assert [seat.place for seat in table.seats] == list(table.outcome.places)
        assert [table.seats[side[0]].points for side in table.sides] == list(table.outcome.points)
        assert table == now(table)

    def test_recorded_in_its_own_spelling(self, ada):
        table = played(opened(ada, game="shithead", options={"exchange": False}), 3)
        pairs = (m for m in table.game.legal_moves(table.state, table.to_act[0]) if " " in m)
        text = next(pairs, table.game.legal_moves(table.state, table.to_act[0])[0])
        move(table, " ".join(reversed(text.split(" "))) if text[0] != "b" else text)
        written = Ply.objects.get(match_id=table.id, version=table.version + 1).move
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
        table = opened(ada)
        with pytest.raises(Refused) as refused:
            move(table, text, **said)
        assert refused.value.code == code
        assert now(table) == table

    def test_only_in_turn_and_only_on_ones_own_seat(self, ada, ben):
        table = joining.join(match_id=opened(ada, "me, open").id, user=ben)
        card = table.game.legal_moves(table.state, 0)[0]
        for user, seat, code in [
            (ben, 1, "not_your_turn"),
            (ben, None, "not_your_turn"),
            (ben, 0, "not_your_seat"),
            (ada, 1, "not_your_seat"),
            (ada, 7, "not_your_seat"),
        ]:
            with pytest.raises(Refused) as refused:
                moves.play(
                    match_id=table.id, caller=Caller(user=user.id), move=card, version=0, seat=seat
                )
            assert refused.value.code == code
        assert now(table) == table

    def test_an_illegal_move_says_what_is_legal(self, ada):
        table = opened(ada)
        held = {table.game.card_text(card) for card in table.state.hands[0]}
        other = next(card for card in ("2C", "3C", "4C", "5C", "6C") if card not in held)
        with pytest.raises(MoveNotAccepted) as refused:
            move(table, other, 0)
        assert refused.value.code == "illegal_move"
        assert refused.value.extras["reason"]
        assert refused.value.extras["legal_moves"] == list(table.game.legal_moves(table.state, 0))
        assert now(table) == table

    def test_a_stale_version_comes_with_the_match_as_it_stands(self, ada):
        table = opened(ada)
        after = move(table)
        with pytest.raises(StaleVersion) as refused:
            move(table, "2C", 0)
        assert refused.value.table == after
        assert refused.value.extras == {"version": 1}

    def test_no_such_match(self, ada):
        with pytest.raises(NotFound):
            moves.play(match_id=UUID(int=7), caller=Caller(user=ada.id), move="7H", version=0)

    def test_a_stranger_does_not_learn_of_a_private_match(self, ada, ben):
        table = opened(ada, visibility="private")
        with pytest.raises(NotFound):
            move(table, caller=Caller(user=ben.id))

    def test_not_before_the_start_and_not_after_the_end(self, ada):
        waiting, over = opened(ada, "me, open"), played(short(ada, "pazaak"))
        for table in (waiting, over):
            with pytest.raises(MatchNotActive, match=table.status):
                move(table, "stand", 0)
            assert now(table) == table

    def test_a_user_who_was_switched_off_has_no_moves(self, ada):
        table = opened(ada)
        ada.is_active = False
        ada.save()
        with pytest.raises(NotSignedIn):
            move(table)


class TestSeat:
    def test_who_sits_once_need_not_say_where(self, ada):
        table = opened(ada, "me, bot random")
        text = table.game.legal_moves(table.state, 0)[0]
        caller = Caller(user=ada.id)
        assert moves.play(match_id=table.id, caller=caller, move=text, version=0).seat == 0

    def test_at_one_device_the_seat_to_act_is_meant(self, ada):
        table = move(opened(ada))
        text = table.game.legal_moves(table.state, 1)[0]
        caller = Caller(user=ada.id)
        assert moves.play(match_id=table.id, caller=caller, move=text, version=1).seat == 1
