"""The one door of moves: what is applied, what is refused by which cause, what is written."""

from uuid import UUID

import msgspec
import pytest
from django.db import connection
from msgspec.structs import replace

from accounts import services
from accounts.signing_in import key_digest
from cardroom.rules import catalog
from config.api.scopes import SCOPES
from config.postgres.connections import FEW_ROWS
from config.refusals import NotSignedIn, Refusal
from games.api.match_answers import match_response
from games.matches import joining, moves
from games.matches.models import Ply, Round
from games.matches.moves import AppliedMove, MoveRequest
from games.matches.refusals import (
    IllegalMove,
    KeyOfAnotherMove,
    MatchNotActive,
    NoSuchMatch,
    NotYourSeat,
    StaleVersion,
)
from games.matches.selectors.access import Caller
from tests.matches.scenes import move, now, opened, played, played_to_round, resigned, short


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


# Idempotency keys: the same call again gives the first answer again.


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


# A batch of moves costs what its own moves cost, however many matches run.

OTHERS, BATCH = 12, 4

_SCANS = """
SELECT relname, coalesce(idx_scan, 0) + seq_scan FROM pg_stat_xact_user_tables
WHERE relname IN ('accounts_key', 'accounts_user')
"""


def scans():
    """How often the callers' tables were searched in this transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_SCANS)
        return dict(cursor.fetchall())


def test_each_caller_is_looked_up_once_to_judge_and_once_to_write(ada):
    secret = services.issue_key(user=ada, scopes=SCOPES).secret
    caller = Caller(digest=key_digest(f"Token {secret}"), scope="play")
    matches = [opened(ada) for _ in range(OTHERS + BATCH)][:BATCH]
    with connection.cursor() as cursor:
        cursor.execute(FEW_ROWS.replace("SET ", "SET LOCAL "))
    requests = [
        MoveRequest(m.id, caller, m.rules.legal_moves(m.state, m.to_act[0])[0], 0) for m in matches
    ]
    before = scans()
    verdicts = moves.play_all(requests)
    assert all(isinstance(verdict, AppliedMove) for verdict in verdicts)
    for table, number in scans().items():
        assert number - before.get(table, 0) <= 2 * BATCH
