"""Plans of a seat: played with the move that makes them due, secret, dropped where they fail."""

import logging
from collections import Counter
from functools import partial
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

from accounts import services
from games.live.page_stream import Query, read_facts
from games.matches import bot_turns, joining, leaving, moves, planned, rolling_back
from games.matches.models import Match, Plan, Ply
from games.matches.plans import PlanLine, changed, stands
from games.matches.refusals import CannotPlan, MalformedMove, NotYourSeat, YourTurnNow
from games.matches.selectors.access import Caller
from games.matches.verification import faults
from tests.matches.scenes import move, now, opened
from tests.matches.test_races_by_barrier import late, told
from tests.security.test_presses import at_once

pytestmark = pytest.mark.django_db
ALWAYS = PlanLine


def pair(one, other, game="pisti", **more):
    """The first is to act."""
    match = joining.join(match_id=opened(one, "me, open", game, **more).id, user=other)
    return match if 0 in match.to_act else move(match)


def hand(match, seat):
    return list(match.rules.view(match.state, seat).hand)


def plan(match, user, *steps):
    return planned.put(match_id=match.id, user=user, steps=steps)


def left(match, user):
    return planned.read(match_id=match.id, caller=Caller(user=user.pk))


def plies(match):
    return list(Ply.objects.filter(match=match.id).order_by("version").values_list("seat", "move"))


class TestConditions:
    def test_what_is_always_played(self, ada, ben):
        match = pair(ada, ben)
        mine = hand(match, 1)
        plan(match, ben, [ALWAYS(mine[0])], [ALWAYS(mine[1])])
        after = move(match)
        assert after.version == match.version + 2
        assert plies(match)[-1] == (1, mine[0])
        assert [step[0].play for step in left(match, ben).steps] == [mine[1]]
        assert now(move(after)).version == match.version + 4
        assert left(match, ben).steps == []
        assert not stands(Match.objects.get(id=match.id).plans)
        assert not list(faults(now(match)))

    def test_if_they_play_this_then_that_else_another(self, ada, ben):
        for number in (0, 1):
            match = pair(ada, ben)
            theirs, mine = hand(match, 0), hand(match, 1)
            plan(match, ben, [PlanLine(mine[0], move=theirs[0]), PlanLine(mine[1])])
            move(match, theirs[number])
            assert plies(match)[-1] == (1, mine[number])

    def test_by_the_card_on_the_pile_and_by_what_happened(self, ada, ben):
        match = pair(ada, ben)
        theirs, mine = hand(match, 0), hand(match, 1)
        top = (match.rules.view(match.state, 0).top or "X")[0]
        quiet = next(card for card in theirs if card[0] not in (top, "J"))
        plan(
            match,
            ben,
            [
                PlanLine(mine[1], event={"type": "nothing"}),
                PlanLine(mine[2], top="XX"),
                PlanLine(mine[0], top=quiet[0], event={"seat": 0}),
            ],
        )
        move(match, quiet)
        assert plies(match)[-1] == (1, mine[0])


class TestDropped:
    @pytest.mark.parametrize(
        ("lines", "why"),
        [([PlanLine("2S", move="XX")], "no_line"), ([PlanLine("foreign")], "refused")],
    )
    def test_where_it_does_not_fit(self, ada, ben, lines, why):
        match = pair(ada, ben)
        mine = hand(match, 1)
        not_mine = next(f"{rank}S" for rank in "23456" if f"{rank}S" not in mine)
        lines = [replace(line, play=not_mine) for line in lines]
        plan(match, ben, lines, [ALWAYS(mine[0])])
        after = move(match)
        assert after.version == match.version + 1
        assert (left(match, ben).steps, left(match, ben).dropped) == ([], why)
        assert left(match, ben).dropped_version == after.version
        assert 1 in now(match).to_act

    def test_with_a_resignation(self, ada, ben):
        match = pair(ada, ben)
        plan(match, ben, [ALWAYS(hand(match, 1)[0])])
        leaving.resign(match_id=match.id, caller=Caller(user=ben.pk))
        assert left(match, ben).dropped == "given_up"
        assert not stands(Match.objects.get(id=match.id).plans)

    def test_with_a_round_that_is_rolled_back(self, ada, ben):
        match = pair(ada, ben, rated=False)
        match = move(move(match))
        plan(match, ben, [ALWAYS(hand(match, 1)[0])])
        rolling_back.ask_to_take_back(match_id=match.id, user=ada, version=match.version)
        rolling_back.answer_take_back(
            match_id=match.id, user=ben, version=match.version, accept=True
        )
        assert left(match, ben).dropped == "rolled_back"
        after = now(match)
        assert now(move(after)).version == after.version + 1

    def test_with_the_end(self, ada, ben):
        match = pair(ada, ben)
        plan(match, ben, [ALWAYS(hand(match, 1)[0])])
        leaving.resign(match_id=match.id, caller=Caller(user=ada.pk))
        assert left(match, ben).dropped == "over"

    def test_withdrawn(self, ada, ben):
        match = pair(ada, ben)
        plan(match, ben, [ALWAYS(hand(match, 1)[0])])
        for _ in range(2):
            planned.withdraw(match_id=match.id, user=ben)
        assert now(move(match)).version == match.version + 1


class TestWhere:
    @pytest.mark.parametrize("fast", [{"turn_seconds": 60}, {"turn_seconds": 3600}])
    def test_slow_matches_only(self, ada, ben, fast):
        match = pair(ada, ben, **fast)
        with pytest.raises(CannotPlan):
            plan(match, ben, [ALWAYS("2S")])
        slow = pair(ada, ben, turn_seconds=86400)
        assert plan(slow, ben, [ALWAYS("2S")]).steps

    def test_what_is_no_move_is_refused_at_once(self, ada, ben):
        match = pair(ada, ben)
        with pytest.raises(MalformedMove):
            plan(match, ben, [ALWAYS("a king")])

    def test_not_while_one_is_to_act_and_only_for_ones_own_seat(self, ada, ben, cleo):
        match = pair(ada, ben)
        with pytest.raises(YourTurnNow):
            plan(match, ada, [ALWAYS("2S")])
        with pytest.raises(NotYourSeat):
            plan(match, cleo, [ALWAYS("2S")])
        with pytest.raises(NotYourSeat):
            planned.put(match_id=match.id, user=ben, steps=[[ALWAYS("2S")]], seat=0)

    def test_computers_make_it_due_too(self, ada):
        match = opened(ada, "me, bot random", "pisti")
        if match.awaits_bot:
            bot_turns.play_bot_turns(match_id=match.id, version=match.version)
            match = now(match)
        mine = hand(match, 0)
        match = move(match, mine[0])
        plan(match, ada, [ALWAYS(mine[1])])
        bot_turns.play_bot_turns(match_id=match.id, version=match.version)
        assert plies(match)[-1][1] == mine[1] or plies(match)[-2][1] == mine[1]


class TestSecret:
    def test_nothing_shows_that_there_is_one(self, ada, ben, caplog):
        match = pair(ada, ben)
        before = Match.objects.values().get(id=match.id)
        caplog.set_level(logging.DEBUG)
        plan(match, ben, [PlanLine("9D", move="8C")])
        after = Match.objects.values().get(id=match.id)
        assert {name for name in after if after[name] != before[name]} == {"plans"}
        assert "9D" not in caplog.text
        facts = read_facts([Query(ada.pk, frozenset({match.id}), match.created_at)])
        assert "9D" not in repr(facts) + repr(now(match)) + str(Plan.objects.get())
        with pytest.raises(NotYourSeat):
            planned.read(match_id=match.id, caller=Caller(user=ada.pk), seat=1)

    def test_a_plain_match_reads_nothing_more(self, ada, ben):
        match = pair(ada, ben)
        with CaptureQueriesContext(connection) as queries:
            move(match)
        assert len(queries) == 2
        assert not any("games_plan" in query["sql"] for query in queries.captured_queries)

    def test_the_move_and_its_answer_are_one_statement(self, ada, ben):
        match = pair(ada, ben)
        plan(match, ben, [ALWAYS(hand(match, 1)[0])])
        with CaptureQueriesContext(connection) as queries:
            move(match)
        written = [one["sql"] for one in queries.captured_queries if "INSERT" in one["sql"]]
        assert len(written) == 1
        assert "games_plan" in written[0]
        assert len(queries) == 3


def test_the_number_of_the_row():
    for plans in range(6):
        for stand in (True, False):
            new = changed(plans, stand=stand)
            assert new > plans
            assert stands(new) == stand


@pytest.mark.django_db(transaction=True)
class TestRaces:
    def raced(self, rng, *acts):
        return at_once(*[partial(late, act, rng.uniform(0, 0.01)) for act in acts])

    def test_withdrawing_against_the_move_that_makes_it_due(self):
        ada, ben = services.open_guest(), services.open_guest()
        rng, counts = Random(5), Counter()
        for _ in range(8):
            match = pair(ada, ben)
            plan(match, ben, [ALWAYS(hand(match, 1)[0])])
            withdraw = partial(planned.withdraw, match_id=match.id, user=ben)
            results = self.raced(rng, partial(move, match), withdraw)
            assert not [each for each in results if isinstance(each, Exception)], results
            made = now(match).version - match.version
            assert made in (1, 2)
            assert not stands(Match.objects.get(id=match.id).plans)
            counts[f"{made} plies"] += 1
        told("Withdrawing against the move before", counts)

    def test_another_plan_against_the_move_that_makes_it_due(self):
        """One of the two plans is played, and the move by hand of the same seat comes too late."""
        ada, ben = services.open_guest(), services.open_guest()
        rng, counts = Random(5), Counter()
        for _ in range(8):
            match = pair(ada, ben)
            mine = hand(match, 1)
            plan(match, ben, [ALWAYS(mine[0])])
            results = self.raced(
                rng, partial(move, match), partial(plan, match, ben, [ALWAYS(mine[1])])
            )
            assert isinstance(results[0], type(match)), results
            played = plies(match)[match.version + 1 :]
            assert [seat for seat, _ in played] == [0, 1], played
            standing = Plan.objects.get(match=match.id).steps
            row = Match.objects.get(id=match.id)
            assert stands(row.plans) == (bytes(standing) != b"[]")
            counts[f"card {mine.index(played[1][1])}"] += 1
        told("Another plan against the move before", counts)

    def test_a_move_by_hand_and_a_resignation_against_it(self):
        ada, ben = services.open_guest(), services.open_guest()
        rng = Random(5)
        for _ in range(8):
            match = pair(ada, ben)
            mine = hand(match, 1)
            plan(match, ben, [ALWAYS(mine[0])])
            by_hand = partial(
                moves.play,
                match_id=match.id,
                caller=Caller(user=ben.pk),
                move=mine[1],
                version=match.version + 1,
            )
            resign = partial(leaving.resign, match_id=match.id, caller=Caller(user=ben.pk))
            results = self.raced(rng, partial(move, match), by_hand, resign)
            seats = [seat for seat, _ in plies(match)[1:]]
            assert len(seats) == now(match).version, (results, seats)
            assert not isinstance(results[2], Exception) or now(match).is_over
            assert now(match).status == "finished"
            assert not stands(Match.objects.get(id=match.id).plans)
