"""Records of what was played here: accepted as they are, refused where they were changed."""

from datetime import timedelta

import msgspec
import pytest
import time_machine

from cardroom.rules import catalog, record
from games.matches import joining, leaving, loading, records
from games.matches.refusals import MatchNotOver
from tests.matches.scenes import called_off, now, opened, played, resigned, short
from tests.rules.falsifying import falsified, place, swapped

every_game = pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])


def told(match):
    """The record as a stranger reads it."""
    return msgspec.json.decode(record.write(records.of(now(match))))


def accepted(match):
    found = told(match)
    assert record.verify(found) is None
    return found


class TestAccepted:
    @every_game
    def test_played_out(self, ada, game):
        match = played(short(ada, game, "me, bot random"))
        found = accepted(match)
        assert found["match"] == str(match.id)
        assert found["seats"][0] | {"side_deck": None} == {
            "name": "Ada",
            "kind": "user",
            "side_deck": None,
        }
        assert found["seats"][1]["bot"] == "random"
        assert found["outcome"]["points"] == list(match.outcome.points)
        assert sum(len(line["moves"]) for line in found["rounds"]) == match.version

    @every_game
    def test_resigned(self, ada, game):
        found = accepted(resigned(played(short(ada, game), 3), 0))
        assert found["outcome"]["reason"] == "resigned"
        assert found["rounds"][-1]["moves"][-1] == "0 resign"
        assert found["rounds"][-1]["scores"] is None

    def test_several_rounds(self, ada):
        found = accepted(played(opened(ada, options={"target_score": 60})))
        assert len(found["rounds"]) > 1
        assert [line["number"] for line in found["rounds"]] == list(
            range(1, len(found["rounds"]) + 1)
        )

    def test_a_bot_played_a_seat_on(self, ada):
        match = opened(ada, "me, local, local", options={"players": 3, "target_score": None})
        found = accepted(played(resigned(played(match, 4), 1)))
        assert 1 not in found["outcome"]["winners"]

    def test_teams(self, ada):
        rules = {"options": {"players": 4, "teams": True, "target_score": None}}
        found = accepted(played(opened(ada, "me, local, local, local", **rules)))
        assert len(found["outcome"]["points"]) == 2

    def test_out_of_time(self, ada):
        match = opened(ada, turn_seconds=10)
        with time_machine.travel(match.deadline_at + timedelta(seconds=1), tick=False):
            leaving.resign_or_hand_over(match_id=match.id)
        assert accepted(match)["outcome"]["reason"] == "timeout"

    def test_called_off_before_the_first_card(self, ada):
        found = accepted(joining.leave(match_id=opened(ada, "me, open").id, user=ada))
        assert (found["rounds"], found["started_at"]) == ([], None)
        assert found["outcome"] == {"winners": [], "points": [0, 0], "reason": "aborted"}

    def test_called_off_right_after_a_round(self, ada):
        match = played(opened(ada), 48)
        called_off(match)
        found = accepted(match)
        assert [len(line["moves"]) for line in found["rounds"]] == [48, 0]
        assert found["outcome"]["points"] == [seat.points for seat in match.seats]

    @pytest.mark.parametrize("declines", [False, True])
    def test_a_continuation_called_off_before_anybody_came(self, ada, ben, declines):
        match = joining.join(match_id=opened(ada, "me, open", "pazaak").id, user=ben)
        match = played(match, 3)
        new = loading.load(match_id=match.id, user=ada, cards="reshuffled", version=2)
        if declines:
            joining.leave(match_id=new.id, user=ben)
        found = joining.leave(match_id=new.id, user=ada)
        resigned(match, 0)
        found = accepted(found)
        assert [line["scores"] for line in found["rounds"]] == [None]

    def test_decks_shuffled_within_the_round(self, ada):
        rules = {"max_tricks": 60, "recycle": "shuffle", "collect_order": "random"}
        found = accepted(played(opened(ada, game="pyanitsa", options=rules)))
        assert len(found["rounds"][0]["shuffles"]) > 10

    def test_the_cheater(self, ada):
        slugs = {bot.slug for bot in catalog.find("pazaak").bots}
        cheater = next((slug for slug in slugs if "cheat" in slug), "random")
        accepted(played(short(ada, "pazaak", f"bot {cheater}, bot random")))


class TestRefused:
    @every_game
    def test_one_card_one_move_one_score_the_seed(self, ada, game):
        found = told(played(short(ada, game)))
        last = len(found["rounds"]) - 1
        path = ("rounds", last)
        deck = found["rounds"][last]["shuffles"][0].split(" ")
        other = next(n for n, card in enumerate(deck) if card != deck[0])
        assert place(falsified(found, (*path, "shuffles", 0), swapped(0, other))) == (
            last + 1,
            None,
        )
        moves = found["rounds"][last]["moves"]
        assert place(falsified(found, (*path, "moves", len(moves) - 1), "0 nonsense")) == (
            last + 1,
            len(moves) - 1,
        )
        assert place(falsified(found, (*path, "moves"), moves[:-1])) == (last + 1, None)
        score = (*path, "scores", 0)
        assert place(falsified(found, score, lambda points: points + 1)) == (last + 1, None)
        assert place(found | {"seed": "0" * 64}) == (None, None)
        assert place(falsified(found, ("outcome", "winners"), [7])) == (None, None)

    def test_the_parent_of_a_loaded_match(self, ada):
        parent = played(opened(ada, preset="single"))
        loaded = loading.load(match_id=parent.id, user=ada, cards="reshuffled", version=20)
        found = accepted(played(loaded))
        for name, wrong in [
            ("seed", "0" * 64),
            ("commitment", "0" * 64),
            ("version", 99),
            ("shuffles", 0),
            ("cards", "same"),
        ]:
            assert record.verify(falsified(found, ("loaded_from", name), wrong)) is not None


class TestNotYet:
    def test_while_the_match_runs_or_waits(self, ada):
        for match in (opened(ada), opened(ada, "me, open")):
            with pytest.raises(MatchNotOver):
                records.of(match)
