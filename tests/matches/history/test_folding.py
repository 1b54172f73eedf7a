"""Matches folded into one row: nobody who reads them sees a difference, and the way back."""

import io
from datetime import timedelta

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from cardroom.rules import catalog, record
from games.matches import folded, folding, joining, loading, moves, records, verification
from games.matches.models import ArchiveDictionary, ArchivedMatch, Match, Ply, Round, Seat
from games.matches.selectors.access import Caller
from games.matches.selectors.history import match_at
from games.matches.selectors.lists import rounds_of
from games.matches.selectors.log import log_entries
from tests.matches.histories import check
from tests.matches.scenes import called_off, move, now, opened, played, resigned, short

MOST_BYTES = 1200


def old(match):
    long_ago = timezone.now() - timedelta(days=400)
    Match.objects.filter(id=match.id).update(finished_at=long_ago)
    return now(match)


def finished(ada, game="pisti", seats="me, local Twin"):
    return old(played(short(ada, game, seats)))


def told(match):
    """The answers to readers of a match."""
    return (
        record.write(records.of(match)),
        list(log_entries(match)),
        match_at(match, match.version // 2),
        [(r.number, r.opening_version, r.scores, r.opened_at) for r in rounds_of(match)],
        list(verification.faults(match)),
    )


@pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
def test_folded_and_back_it_is_the_same(ada, game):
    match = finished(ada, game)
    before, rows = told(match), folding.stored_rows(match.id)
    assert folding.fold(match.id)
    assert not Ply.objects.filter(match_id=match.id).exists()
    assert now(match) == match
    assert told(match) == before
    assert folding.unfold(match.id)
    assert folding._same(folding.stored_rows(match.id), rows)
    assert told(match) == before
    assert not ArchivedMatch.objects.exists()


def test_a_deal_between_two_takes_little(ada):
    matches = [old(played(opened(ada, "me, bot greedy", preset="single"))) for _ in range(3)]
    today = folding.bytes_of(matches[0].id)
    assert folding.fold_some(older_than=timedelta(days=30)) == 3
    assert max(folding.bytes_of(match.id) for match in matches) < MOST_BYTES < today


def test_only_what_is_over_for_long_with_its_whole_family(ada):
    running, young = opened(ada), played(short(ada, "pazaak"))
    parent = finished(ada)
    child = loading.load(match_id=parent.id, user=ada, round=1, cards="same")
    third = old(called_off(loading.load(match_id=child.id, user=ada, version=0, cards="same")))
    assert folding.fold_some(older_than=timedelta(days=30)) == 0
    assert not any(folding.fold(match.id) for match in (running, parent, child, third))
    assert folding.fold(young.id)
    old(called_off(child))
    assert folding.fold_some(older_than=timedelta(days=30)) == 3
    assert ArchivedMatch.objects.filter(match_id__in=[parent.id, child.id, third.id]).count() == 3


def test_a_process_that_knows_another_dictionary_of_this_number_reads_it(ada):
    """The database was restored meanwhile."""
    match = finished(ada)
    before = told(match)
    folding.fold(match.id)
    folded.dictionary_of.cache_clear()
    folded._unfolded.cache_clear()
    dictionary = ArchiveDictionary.objects.get()
    ArchiveDictionary.objects.update(data=b"another one" * 99)
    folded.dictionary_of(dictionary.id)
    ArchiveDictionary.objects.update(data=dictionary.data)
    assert told(match) == before


def test_a_key_still_answers_its_first_answer(ada):
    match = move(short(ada, "pisti"), key="first")
    asked = {"match_id": match.id, "caller": Caller(user=ada.id), "version": 0, "key": "first"}
    (entry,) = log_entries(match, after=0)
    over = old(played(match))
    folding.fold(over.id)
    again = moves.play(move=entry.move, seat=entry.seat, **asked)
    assert (again.match.version, again.match.state) == (1, match.state)


def test_loading_from_a_folded_match_leaves_it_folded(ada):
    match = finished(ada)
    folding.fold(match.id)
    for cards in ("same", "reshuffled"):
        loaded = loading.load(match_id=match.id, user=ada, version=9, cards=cards)
        assert [entry.version for entry in log_entries(loaded)] == list(range(10))
        check(played(loaded))
    assert ArchivedMatch.objects.filter(match_id=match.id).exists()


def test_the_command_folds_what_has_just_ended(ada, capsys, settings):
    """`--days 0` is an answer, not the lack of one."""
    match = played(short(ada, "pisti"))
    call_command("archive", "--days", "0")
    assert ArchivedMatch.objects.filter(match_id=match.id).exists()
    for days in ("-1", "x", "9" * 30):
        with pytest.raises(CommandError, match="no number of days"):
            call_command("archive", "--days", days)
    settings.RETENTION = settings.RETENTION | {"archive": 0}
    with pytest.raises(CommandError, match="Archiving is off"):
        call_command("archive")


def test_the_command(ada, capsys):
    match = finished(ada)
    call_command("archive", "--days", "30")
    assert ArchivedMatch.objects.filter(match_id=match.id).exists()
    call_command("archive", "--restore", str(match.id))
    assert not ArchivedMatch.objects.exists()
    assert "1 match folded" in capsys.readouterr().out


# State, log and openings prove each other: whatever is changed in one is found out.


@pytest.fixture
def match(ada):
    """A match of Pişti in its second deal."""
    return played(opened(ada), 55)


def faults(match):
    return list(verification.faults(now(match)))


def rows(model, match, **which):
    return model.objects.filter(match_id=match.id, **which)


def other_card(match, version):
    """The move of a ply as another card that its seat might have played instead."""
    ply = rows(Ply, match, version=version).get()
    later = rows(Ply, match, version__gt=version, seat=ply.seat).order_by("version").first()
    return later.move


class TestProven:
    @pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
    def test_running_finished_resigned(self, ada, game):
        match = short(ada, game)
        assert faults(match) == []
        match = played(match, 5)
        assert faults(match) == []
        assert faults(resigned(short(ada, game), 1)) == []
        assert faults(played(match)) == []

    def test_with_stand_in_bots_and_timeouts(self, ada):
        match = resigned(opened(ada, "me, local, local", options={"players": 3}), 0)
        assert faults(played(match, 60)) == []

    def test_never_started_and_called_off(self, ada):
        match = opened(ada, "me, open")
        assert faults(match) == []
        assert faults(joining.leave(match_id=match.id, user=ada)) == []

    @pytest.mark.parametrize("declines", [False, True])
    def test_loaded_and_waiting_for_its_other_player(self, ada, ben, declines):
        match = played(joining.join(match_id=opened(ada, "me, open").id, user=ben), 60)
        new = loading.load(match_id=match.id, user=ada, cards="reshuffled", version=55)
        if declines:
            joining.leave(match_id=new.id, user=ben)
        assert (now(new).status, faults(new)) == ("open", [])

    def test_called_off_in_the_middle(self, match):
        called_off(match)
        assert faults(match) == []


class TestTampered:
    def found(self, match, *words):
        told = " ".join(faults(match))
        assert told
        for word in words:
            assert word in told
        return told

    def test_a_move(self, match):
        rows(Ply, match, version=50).update(move=other_card(match, 50))
        self.found(match, "Ply 5")

    def test_a_move_that_was_not_there(self, match):
        rows(Ply, match, version=50).update(move="ZZ")
        self.found(match, "Ply 50 is refused by the rules")

    def test_who_made_it(self, match):
        for seat in (None, 0, 1):
            rows(Ply, match, version=50).update(seat=seat)
            if faults(match):
                self.found(match, "Ply 50")
        rows(Ply, match, version=50).update(seat=None)
        self.found(match, "Ply 50", "nobody")

    def test_a_ply_gone(self, match):
        rows(Ply, match, version=50).delete()
        self.found(match, "Ply 50 is missing")

    def test_the_last_ply_gone(self, match):
        rows(Ply, match, version=55).delete()
        self.found(match, "version does not follow", "state does not follow")

    def test_a_ply_too_many(self, match):
        extra = {"match_id": match.id, "events": b"[]", "seat": 0, "move": "7H"}
        Ply.objects.create(version=56, **extra)
        self.found(match)

    def test_what_happened(self, match):
        rows(Ply, match, version=50).update(events=b"[]")
        self.found(match, "Ply 50 has other events")

    def test_the_first_deal(self, match):
        rows(Ply, match, version=0).update(events=b"[]")
        self.found(match, "first deal")

    def test_the_seed(self, match):
        Match.objects.filter(id=match.id).update(seed=b"x" * 32)
        self.found(match, "first deal", "Round 1")

    def test_the_state(self, match):
        state = msgspec.json.decode(match.state_json)
        state["totals"][0] += 1
        Match.objects.filter(id=match.id).update(state=msgspec.json.encode(state))
        self.found(match, "state does not follow")

    @pytest.mark.parametrize("number", [1, 2])
    def test_a_save(self, match, number):
        state = msgspec.json.decode(bytes(rows(Round, match, number=number).get().opening_state))
        state["dealer"] = 1 - state["dealer"]
        rows(Round, match, number=number).update(opening_state=msgspec.json.encode(state))
        self.found(match, f"Round {number}")

    def test_the_scores_of_a_round(self, match):
        scores = rows(Round, match, number=1).get().scores
        rows(Round, match, number=1).update(scores=[scores[0] + 1, scores[1]])
        self.found(match, "Round 1 has other scores")

    def test_a_round_gone(self, match):
        rows(Round, match, number=2).delete()
        self.found(match, "rounds stored are [1], not 1 to 2")

    @pytest.mark.parametrize("number", [1, 2])
    def test_the_decks_of_a_round(self, match, number):
        decks = msgspec.json.decode(bytes(rows(Round, match, number=number).get().decks))
        decks[0][0], decks[0][1] = decks[0][1], decks[0][0]
        rows(Round, match, number=number).update(decks=msgspec.json.encode(decks))
        self.found(match, f"Round {number} has other decks")

    def test_where_a_round_began(self, match):
        rows(Round, match, number=2).update(opening_version=47)
        self.found(match, "Round 2 began")

    def test_the_points_of_a_seat(self, match):
        rows(Seat, match, index=0).update(points=99)
        self.found(match, "seats do not follow")

    @pytest.mark.parametrize(
        ("field", "value"), [("round", 1), ("to_act", [1]), ("shuffles_used", 9)]
    )
    def test_the_match(self, match, field, value):
        if field == "to_act":
            value = [1 - match.to_act[0]]
        Match.objects.filter(id=match.id).update(**{field: value})
        self.found(match, f"{field} does not follow")

    def test_the_outcome(self, ada):
        match = played(short(ada, "pazaak"))
        outcome = msgspec.json.decode(match.outcome_json) | {"winners": []}
        Match.objects.filter(id=match.id).update(outcome=msgspec.json.encode(outcome))
        self.found(match, "outcome does not follow")

    def test_the_decks_shuffled_within_a_round(self, ada):
        rules = {"max_tricks": 60, "recycle": "shuffle"}
        match = played(opened(ada, game="pyanitsa", options=rules))
        ply = rows(Ply, match, decks__isnull=False).first()
        rows(Ply, match, version=ply.version).update(decks=None)
        self.found(match, f"Ply {ply.version} has other decks")

    @pytest.mark.parametrize("cards", ["same", "reshuffled"])
    def test_a_loaded_match(self, ada, match, cards):
        new = loading.load(match_id=match.id, user=ada, cards=cards, version=52)
        new = played(new, 60)
        assert faults(new) == []
        rows(Ply, new, version=55).update(move=other_card(new, 55))
        self.found(new, "Ply")


class TestCommand:
    def test_names_what_is_wrong_and_fails(self, ada, match):
        out, err = io.StringIO(), io.StringIO()
        call_command("verify_matches", stdout=out, stderr=err)
        assert "1 matches checked, 0 with faults" in out.getvalue()
        rows(Seat, match, index=0).update(points=99)
        with pytest.raises(CommandError, match="1 of 1"):
            call_command("verify_matches", str(match.id), stdout=out, stderr=err)
        assert str(match.id) in err.getvalue()
        call_command("verify_matches", game="pazaak", stdout=out, stderr=err)
