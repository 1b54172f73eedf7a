"""State, log and openings prove each other: whatever is changed in one is found out."""

import io

import msgspec
import pytest
from django.core.management import CommandError, call_command

from games.matches.models import Match, Ply, Round, Seat
from games.matches.services import joining, loading, verification
from games.rules import catalog
from tests.matches.scenes import now, opened, played, resigned, short


@pytest.fixture
def table(ada):
    """A match of Pişti in its second deal."""
    return played(opened(ada), 55)


def faults(table):
    return list(verification.faults(now(table)))


def rows(model, table, **which):
    return model.objects.filter(match_id=table.id, **which)


def other_card(table, version):
    """The move of a ply as another card that its seat might have played instead."""
    ply = rows(Ply, table, version=version).get()
    later = rows(Ply, table, version__gt=version, seat=ply.seat).order_by("version").first()
    return later.move


class TestProven:
    @pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
    def test_running_finished_resigned(self, ada, game):
        table = short(ada, game)
        assert faults(table) == []
        table = played(table, 5)
        assert faults(table) == []
        assert faults(resigned(short(ada, game), 1)) == []
        assert faults(played(table)) == []

    def test_with_stand_in_bots_and_timeouts(self, ada):
        table = resigned(opened(ada, "me, local, local", options={"players": 3}), 0)
        assert faults(played(table, 60)) == []

    def test_never_started_and_called_off(self, ada):
        table = opened(ada, "me, open")
        assert faults(table) == []
        assert faults(joining.leave(match_id=table.id, user=ada)) == []

    def test_called_off_in_the_middle(self, table):
        joining.abort(Match.objects.get(id=table.id))
        assert faults(table) == []


class TestTampered:
    def found(self, table, *words):
        told = " ".join(faults(table))
        assert told
        for word in words:
            assert word in told
        return told

    def test_a_move(self, table):
        rows(Ply, table, version=50).update(move=other_card(table, 50))
        self.found(table, "Ply 5")

    def test_a_move_that_was_not_there(self, table):
        rows(Ply, table, version=50).update(move="ZZ")
        self.found(table, "Ply 50 is refused by the rules")

    def test_who_made_it(self, table):
        for seat in (None, 0, 1):
            rows(Ply, table, version=50).update(seat=seat)
            if faults(table):
                self.found(table, "Ply 50")
        rows(Ply, table, version=50).update(seat=None)
        self.found(table, "Ply 50", "nobody")

    def test_a_ply_gone(self, table):
        rows(Ply, table, version=50).delete()
        self.found(table, "Ply 50 is missing")

    def test_the_last_ply_gone(self, table):
        rows(Ply, table, version=55).delete()
        self.found(table, "version does not follow", "state does not follow")

    def test_a_ply_too_many(self, table):
        extra = {"match_id": table.id, "events": b"[]", "seat": 0, "move": "7H"}
        Ply.objects.create(version=56, **extra)
        self.found(table)

    def test_what_happened(self, table):
        rows(Ply, table, version=50).update(events=b"[]")
        self.found(table, "Ply 50 has other events")

    def test_the_first_deal(self, table):
        rows(Ply, table, version=0).update(events=b"[]")
        self.found(table, "first deal")

    def test_the_seed(self, table):
        Match.objects.filter(id=table.id).update(seed=b"x" * 32)
        self.found(table, "first deal", "Round 1")

    def test_the_state(self, table):
        state = msgspec.json.decode(table.state_json)
        state["totals"][0] += 1
        Match.objects.filter(id=table.id).update(state=msgspec.json.encode(state))
        self.found(table, "state does not follow")

    @pytest.mark.parametrize("number", [1, 2])
    def test_a_save(self, table, number):
        state = msgspec.json.decode(bytes(rows(Round, table, number=number).get().opening_state))
        state["dealer"] = 1 - state["dealer"]
        rows(Round, table, number=number).update(opening_state=msgspec.json.encode(state))
        self.found(table, f"Round {number}")

    def test_the_scores_of_a_round(self, table):
        scores = rows(Round, table, number=1).get().scores
        rows(Round, table, number=1).update(scores=[scores[0] + 1, scores[1]])
        self.found(table, "Round 1 has other scores")

    def test_a_round_gone(self, table):
        rows(Round, table, number=2).delete()
        self.found(table, "rounds stored are [1], not 1 to 2")

    @pytest.mark.parametrize("number", [1, 2])
    def test_the_decks_of_a_round(self, table, number):
        decks = msgspec.json.decode(bytes(rows(Round, table, number=number).get().decks))
        decks[0][0], decks[0][1] = decks[0][1], decks[0][0]
        rows(Round, table, number=number).update(decks=msgspec.json.encode(decks))
        self.found(table, f"Round {number} has other decks")

    def test_where_a_round_began(self, table):
        rows(Round, table, number=2).update(opening_version=47)
        self.found(table, "Round 2 began")

    def test_the_points_of_a_seat(self, table):
        rows(Seat, table, index=0).update(points=99)
        self.found(table, "seats does not follow")

    @pytest.mark.parametrize(
        ("field", "value"), [("round", 1), ("to_act", [1]), ("shuffles_used", 9)]
    )
    def test_the_match(self, table, field, value):
        if field == "to_act":
            value = [1 - table.to_act[0]]
        Match.objects.filter(id=table.id).update(**{field: value})
        self.found(table, f"{field} does not follow")

    def test_the_outcome(self, ada):
        table = played(short(ada, "pazaak"))
        outcome = msgspec.json.decode(table.outcome_json) | {"winners": []}
        Match.objects.filter(id=table.id).update(outcome=msgspec.json.encode(outcome))
        self.found(table, "outcome does not follow")

    def test_the_decks_shuffled_within_a_round(self, ada):
        rules = {"max_tricks": 60, "recycle": "shuffle"}
        table = played(opened(ada, game="pyanitsa", options=rules))
        ply = rows(Ply, table, decks__isnull=False).first()
        rows(Ply, table, version=ply.version).update(decks=None)
        self.found(table, f"Ply {ply.version} has other decks")

    @pytest.mark.parametrize("cards", ["same", "reshuffled"])
    def test_a_loaded_match(self, ada, table, cards):
        new = loading.load(match_id=table.id, user=ada, cards=cards, version=52)
        new = played(new, 60)
        assert faults(new) == []
        rows(Ply, new, version=55).update(move=other_card(new, 55))
        self.found(new, "Ply")


class TestCommand:
    def test_names_what_is_wrong_and_fails(self, ada, table):
        out, err = io.StringIO(), io.StringIO()
        call_command("verify_matches", stdout=out, stderr=err)
        assert "1 matches checked, 0 with faults" in out.getvalue()
        rows(Seat, table, index=0).update(points=99)
        with pytest.raises(CommandError, match="1 of 1"):
            call_command("verify_matches", str(table.id), stdout=out, stderr=err)
        assert str(table.id) in err.getvalue()
        call_command("verify_matches", game="pazaak", stdout=out, stderr=err)
