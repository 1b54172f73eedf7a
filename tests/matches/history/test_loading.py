"""Saves, and playing on from them (FORMAT.md §2, loaded matches)."""

import re
from collections import Counter

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from cardroom.rules import catalog, record
from config.refusals import NotAllowed
from decks.models import Deck
from games.matches import folding, joining, loading, records, verification
from games.matches.models import Match, Ply, Round, Seat
from games.matches.refusals import BadDeck, BadSave, NoSuchMatch
from games.matches.selectors.history import match_at
from games.matches.selectors.lists import rounds_of
from games.matches.selectors.log import events_for, log_entries
from games.operations import people
from tests.matches.scenes import (
    called_off,
    move,
    now,
    opened,
    played,
    played_on,
    played_to_round,
    resigned,
    short,
)

every_game = pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
ENDLESS = {"collect_to": "bottom", "collect_order": "as_laid", "leader": "fixed"}
both_ways = pytest.mark.parametrize("cards", ["same", "reshuffled"])


def load(match, user, cards="same", **point):
    return loading.load(match_id=match.id, user=user, cards=cards, **point)


def proven(match):
    """A record that is accepted, and a log that follows from its seed and moves."""
    assert list(verification.faults(match)) == []
    if match.is_over:
        assert record.verify(record.write(records.of(match))) is None
    return match


class TestSaves:
    def test_every_round_opened_is_one_newest_first(self, ada):
        match = played_to_round(opened(ada), 3)
        saves = rounds_of(match)
        assert [save.number for save in saves] == [3, 2, 1]
        assert [save.opening_version for save in saves] == [96, 48, 0]
        assert saves[0].scores is None
        assert [sum(s.scores[n] for s in saves[1:]) for n in (0, 1)] == [
            seat.points for seat in match.seats
        ]

    def test_loading_keeps_the_old_match_as_it_was(self, ada):
        match = played_to_round(opened(ada), 2)
        kept = list(Round.objects.filter(match_id=match.id).values())
        played(load(match, ada, round=1), 5)
        assert now(match) == msgspec.structs.replace(match, has_loads=True)
        assert list(Round.objects.filter(match_id=match.id).values()) == kept
        assert Ply.objects.filter(match_id=match.id).count() == 49


class TestSame:
    def test_from_a_round(self, ada):
        match = played(opened(ada), 60)
        new = load(match, ada, round=2)
        opening = Round.objects.get(match_id=match.id, number=2)
        assert bytes(new.state_json) == bytes(opening.opening_state)
        assert (new.version, new.round, new.status) == (48, 2, "active")
        assert (new.parent_id, new.parent_version, new.rated) == (match.id, 48, False)
        assert new.seed != match.seed
        assert [s.points for s in new.seats] == list(
            Round.objects.get(match_id=match.id, number=1).scores
        )

    @every_game
    def test_from_any_version_it_can_be_played_and_proven(self, ada, game):
        match = played(short(ada, game))
        for version in (1, match.version // 2, match.version - 1):
            new = load(match, ada, version=version)
            assert new.version == version
            assert new.state == match_at(match, version).state
            proven(played(proven(new)))

    def test_the_rounds_after_the_point_are_to_be_played_again(self, ada):
        match = played_to_round(opened(ada), 3)
        new = load(match, ada, version=50)
        rounds = rounds_of(new)[::-1]
        assert [round_.number for round_ in rounds] == [1, 2]
        assert rounds[0].scores
        assert (rounds[1].scores, rounds[1].closed_at) == (None, None)

    def test_keys_of_the_past_stay_with_the_old_match(self, ada):
        match = move(opened(ada), key="a")
        new = load(match, ada, version=1)
        assert move(new, key="a").version == 2

    def test_only_by_one_person_alone(self, ada, ben):
        match = joining.join(match_id=opened(ada, "me, open").id, user=ben)
        with pytest.raises(NotAllowed, match="reshuffled"):
            load(match, ada, round=1)
        assert load(opened(ada, "me, bot greedy"), ada, round=1)
        assert Match.objects.count() == 3

    def test_who_had_resigned_then_has_still_resigned(self, ada):
        match = resigned(opened(ada, "me, bot random, bot greedy", options={"players": 3}), 0)
        match = played(match, 40)
        new = load(match, ada, version=match.version - 3)
        assert new.seats[0].resigned_at == 1
        assert load(match, ada, version=0).seats[0].resigned_at is None


class TestReshuffled:
    @every_game
    def test_it_can_be_played_and_proven(self, ada, game):
        match = played(short(ada, game, "me, bot random"))
        for version in (0, match.version // 2, match.version - 1):
            new = load(match, ada, "reshuffled", version=version)
            assert new.version == version
            proven(played(proven(new)))

    def test_what_the_loader_saw_stays_and_the_rest_is_dealt_again(self, ada):
        match = opened(ada, "me, bot random")
        new = load(match, ada, "reshuffled", version=0)
        assert new.state.hands[0] == match.state.hands[0]
        assert new.state.stock != match.state.stock
        assert new.shuffles_used == 1
        old_cards, cards = match.rules.cards(match.state), match.rules.cards(new.state)
        assert sorted(old_cards) == sorted(cards)

    def test_the_view_of_the_loader_is_the_same(self, ada):
        match = played(opened(ada, "me, bot random"), 21)
        new = load(match, ada, "reshuffled", version=21)
        assert new.rules.view(new.state, 0) == match.rules.view(match.state, 0)

    def test_other_people_are_invited_and_it_starts_with_them(self, ada, ben):
        match = joining.join(match_id=opened(ada, "me, open").id, user=ben)
        new = load(played(match, 60), ada, "reshuffled", round=2)
        assert (new.status, new.seats[1].invited_id) == ("open", ben.id)
        assert list(new.to_act) == []
        started = joining.join(match_id=new.id, user=ben)
        assert (started.status, started.version) == ("active", 48)
        assert bytes(started.state_json) == bytes(new.state_json)
        proven(played(started, 60))

    def test_side_decks_stay_those_of_the_match(self, ada, ben, cleo):
        match = joining.join(match_id=opened(ada, "me, open", "pazaak").id, user=ben)
        new = load(played(match, 2), ada, "reshuffled", version=1)
        resigned(match, 1)
        deck = Deck.objects.create(owner=cleo, name="New", cards=["P1"] * 10, is_default=True)
        joining.leave(match_id=new.id, user=ben)
        joining.open_seat(match_id=new.id, host=ada, seat=1)
        with pytest.raises(BadDeck):
            joining.join(match_id=new.id, user=cleo, deck=str(deck.id))
        started = joining.join(match_id=new.id, user=cleo)
        assert [s.side_deck for s in started.seats] == [s.side_deck for s in match.seats]
        proven(played(started))

    def test_others_read_the_past_as_spectators_do(self, ada, ben):
        match = joining.join(match_id=opened(ada, "me, open").id, user=ben)
        match = played(match, 3)
        new = joining.join(match_id=load(match, ada, "reshuffled", version=3).id, user=ben)
        told = [
            [event for entry in log_entries(new) for event in events_for(new, entry, seat)]
            for seat in (0, 1, None)
        ]
        assert told[1] == told[2] != told[0]
        assert told[0] == [
            event for entry in log_entries(match) for event in events_for(match, entry, 0)
        ]

    def test_each_persons_own_cards_are_known_to_the_loader_at_one_device(self, ada):
        match = opened(ada)
        new = load(match, ada, "reshuffled", version=0)
        assert new.state.hands == match.state.hands


class TestGenerations:
    @both_ways
    @every_game
    def test_a_loaded_match_can_be_loaded(self, ada, game, cards):
        first = played(short(ada, game, "me, bot random"))
        second = played(load(first, ada, cards, version=first.version // 3))
        third = played(load(second, ada, cards, version=(first.version // 3 + second.version) // 2))
        assert (third.parent_id, second.parent_id) == (second.id, first.id)
        proven(third)
        nested = records.of(third).loaded_from.loaded_from
        assert nested.match == str(first.id)

    @both_ways
    def test_from_before_its_load_the_first_parent_is_loaded(self, ada, cards):
        first = played_to_round(opened(ada, "me, bot random"), 3)
        second = load(first, ada, cards, round=2)
        third = load(second, ada, cards, round=1)
        assert (third.parent_id, third.parent_version) == (first.id, 0)
        proven(played(third, 9))

    def test_a_parent_that_still_runs_keeps_its_seed(self, ada):
        parent = played(opened(ada, "me, bot random", preset="single"), 11)
        child = played(load(parent, ada, "same", version=5))
        told = record.write(records.of(child, ada.id))
        assert records.of(child, ada.id).loaded_from.seed is None
        assert parent.seed.hex() not in told.decode()
        assert record.verify(told) is None
        played(parent)
        assert records.of(child).loaded_from.seed == parent.seed.hex()
        proven(child)


class TestSize:
    """The size of a load depends on the running round, not on how much was played before."""

    @both_ways
    @pytest.mark.parametrize(
        ("game", "options"),
        [("pisti", {"target_score": 10_000}), ("shithead", {"games": 50}), ("pyanitsa", ENDLESS)],
    )
    def test_rows_bytes_and_statements_are_as_many_after_a_thousand_plies(
        self, ada, game, options, cards
    ):
        match = played_on(opened(ada, game=game, options=options), 10)
        after_ten = self.written(match, ada, cards)
        match = played_on(match, 1000)
        while match.is_over:  # some of Pyanitsa end sooner
            match = played_on(opened(ada, game=game, options=options), 1000)
        for version in (match.version, match.version - 3, 500):
            rows, size, statements = self.written(match, ada, cards, version)
            assert set(rows) <= {"INSERT INTO games_ply", *after_ten[0]}
            assert max(rows.values()) == 1
            assert size <= 4096
            assert statements <= 25

    def written(self, match, ada, cards, version=None):
        """Statements that wrote, bytes of the rows, and how many statements there were."""
        with CaptureQueriesContext(connection) as captured:
            new = load(match, ada, cards, version=match.version if version is None else version)
        texts = [query["sql"] for query in captured]
        kept = re.compile(r'\s*(INSERT INTO|UPDATE|DELETE FROM) "?(\w+)')
        rows = Counter(" ".join(found.groups()) for found in map(kept.match, texts) if found)
        assert Ply.objects.filter(match_id=new.id).count() <= 52
        assert Round.objects.filter(match_id=new.id).count() == 1
        size = folding.bytes_of(new.id) + len(new.state_json) + len(new.loaded_json)
        called_off(new)
        return rows, size, len(texts)


class TestRefused:
    @pytest.mark.parametrize(
        ("point", "named"),
        [
            ({"round": 9}, "no round 9"),
            ({"round": 0}, "no round 0"),
            ({"version": 3}, "0 to 2"),
            ({"version": -1}, "0 to 2"),
            ({}, "either a round or a version"),
            ({"round": 1, "version": 0}, "either a round or a version"),
        ],
    )
    def test_no_such_point(self, ada, point, named):
        match = played(opened(ada), 2)
        with pytest.raises(BadSave, match=named):
            load(match, ada, **point)
        assert Match.objects.count() == 1

    def test_not_the_end_itself(self, ada):
        match = played(short(ada, "pazaak"))
        with pytest.raises(BadSave, match="over"):
            load(match, ada, version=match.version)

    def test_nothing_was_dealt(self, ada):
        for point in ({"round": 1}, {"version": 0}):
            with pytest.raises(BadSave):
                load(opened(ada, "me, open"), ada, **point)

    @both_ways
    def test_not_by_who_did_not_play(self, ada, ben, cards):
        with pytest.raises(NotAllowed):
            load(opened(ada), ben, cards, round=1)
        with pytest.raises(NoSuchMatch):
            load(opened(ada, visibility="private"), ben, cards, round=1)
        assert Match.objects.count() == 2


def test_a_finished_match_gives_its_last_round_again(ada):
    match = played(short(ada, "pisti"))
    new = load(match, ada, round=1)
    assert (new.status, new.outcome) == ("active", None)
    assert {seat.place for seat in new.seats} == {None}


def test_the_time_of_a_turn_begins_with_the_load(ada):
    match = played(opened(ada, turn_seconds=60), 3)
    new = load(match, ada, version=2)
    assert (new.deadline_at - new.started_at).total_seconds() == 60


def test_a_seat_that_had_resigned_is_given_back_by_nobody(ada, ben, cleo):
    """A bot plays it on: nobody else could play there. The beat does not look for its person."""
    match = opened(ada, "me, open, open", options={"players": 3})
    for user in (ben, cleo):
        joining.join(match_id=match.id, user=user)
    resigned(now(match), 2)
    new = loading.load(match_id=match.id, user=ada, cards="reshuffled", version=1)
    with pytest.raises(NotAllowed):
        joining.leave(match_id=new.id, user=cleo)
    User.objects.filter(pk=cleo.pk).update(is_active=False)
    assert people.mend() == 0
    joining.join(match_id=new.id, user=ben)
    assert (now(new).status, now(new).seats[2].user_id) == ("active", cleo.pk)


@both_ways
def test_a_deck_that_the_game_does_not_need_stays_behind(ada, cards):
    old = played(opened(ada))
    Seat.objects.filter(match_id=old.id).update(side_deck=["+1"] * 10)
    loaded = load(now(old), ada, cards, round=2)
    assert {seat.side_deck for seat in loaded.seats} == {None}
    proven(played(loaded))


def test_a_name_leaves_the_first_deal_that_was_dealt_again_too(ada, ben, cleo):
    """Also where somebody else has taken the seat since."""
    parent = opened(ada, "me, open", "pazaak")
    parent = resigned(played(joining.join(match_id=parent.id, user=ben), 9), 1)
    new = loading.load(match_id=parent.id, user=ada, cards="reshuffled", version=9)
    joining.open_seat(match_id=new.id, host=ada, seat=1)
    joining.join(match_id=new.id, user=cleo)
    assert Ply.objects.filter(match_id=new.id, version=0).exists()
    folding.rename(ben, "Somebody")
    (first,) = log_entries(now(new), until=0)
    assert first.events[0].names == ("Ada", "Somebody")
    assert now(new).names == ["Ada", "Cleo"]
