"""A match goes on from an earlier round, dealt again; all of it can be verified (FORMAT.md §2)."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from accounts.audit.log import Actor
from accounts.models import User
from cardroom.rules import catalog, record
from games.matches import joining, loading, records, rolling_back, verification
from games.matches.models import Match, Ply, Round
from games.matches.refusals import (
    BadSave,
    CannotTakeBack,
    MatchIsRated,
    MatchNotActive,
    NobodyToAsk,
    NoSuchMatch,
    NotYourSeat,
    NoWishToTakeBack,
    StaleVersion,
    WantedAlready,
)
from games.matches.selectors.history import match_at
from games.operations import refereeing
from games.operations.refereeing import CannotReferee
from tests.matches.scenes import called_off, move, now, opened, played, played_to_round, resigned
from tests.rules.short import short_options

pytestmark = pytest.mark.django_db

GAMES = [game.slug for game in catalog.GAMES]
WHY = "The table was frozen for an hour."


def rolled_back(match, number: int, who: User):
    refereeing.roll_back(match_id=match.id, by=Actor.of(who, WHY), round=number)
    return now(match)


def check(match) -> None:
    """State, log and rounds prove each other, and anybody can verify the record."""
    assert list(verification.faults(match)) == []
    over = match if match.is_over else now(called_off(match))
    written = record.write(records.of(over))
    assert record.verify(record.read(written)) is None


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(seed=st.integers(0, 999), steps=st.lists(st.integers(0, 50), min_size=2, max_size=2))
def test_any_round_of_any_game_and_on(game, seed, steps, ada):
    rng, rules = Random(seed), catalog.find(game)
    options = rng.choice([{}, short_options(rules)])
    match = opened(ada, "me, local Twin", game, options=options)
    for step in steps:
        match = played(match, match.version + step, rng)
        if match.status == "active":
            before = match.version
            match = rolled_back(match, rng.randint(1, match.round), ada)
            assert match.version == before + 1
    check(played(match, match.version + 70, rng))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.sweep) for n in (1, 2))])
def test_again_and_again_to_later_and_earlier_rounds(game, seed, ada):
    """An earlier opening lies as it lay, whatever was dealt again for a later one since."""
    rng = Random(seed)
    match = played(opened(ada, "me, local Twin", game), rng.randint(0, 9), rng)
    for _ in range(6):
        if match.status == "active":
            match = rolled_back(match, rng.randint(1, match.round), ada)
            match = played(match, match.version + rng.randint(0, 9), rng)
    check(match)


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_deleted_and_hidden_cards_are_dealt_again(game, ada):
    match = opened(ada, "me, local Twin", game)
    match = played(match, 5)  # Pazaak may end after six
    plies = list(Ply.objects.filter(match_id=match.id).values_list("version", "move", "events"))
    state = match_at(match, 0).state
    again = rolled_back(match, match.round, ada)
    kept = Ply.objects.filter(match_id=match.id).values_list("version", "move", "events")
    assert list(kept)[: len(plies)] == plies
    assert again.state != state
    assert again.rules.view(again.state, None).to_act is not None
    assert not again.rated
    assert match_at(again, 5).state == match_at(match, 5).state


def test_a_key_of_an_undone_move_still_answers_its_first_answer(ada):
    match = opened(ada)
    legal = match.rules.legal_moves(match.state, match.to_act[0])
    seat, version, text = match.to_act[0], match.version, legal[0]
    first = move(match, text, seat, key="k")
    match = rolled_back(played(now(match), 6), 1, ada)
    again = move(replace(match, version=version), text, seat, key="k", version=version)
    assert (again.version, again.state) == (first.version, first.state)
    assert now(match).version == match.version
    with pytest.raises(StaleVersion):
        move(match, text, seat, version=version)


def test_scores_and_resignations_of_undone_rounds_do_not_count(ada):
    match = opened(ada, "me, local B, local C", options={"players": 3})
    match = played_to_round(match, 3)
    points = [seat.points for seat in match_at(match, _opening(match, 2)).seats]
    match = resigned(match, 1)
    match = rolled_back(match, 2, ada)
    assert [seat.points for seat in match.seats] == points
    assert match.seats[1].resigned_at is None
    assert (match.round, match.status) == (2, "active")
    numbers = Round.objects.filter(match_id=match.id).values_list("number", "undone_at")
    assert list(numbers) == [(1, None), (2, match.version), (3, match.version), (2, None)]
    check(played_to_round(match, 3))


def _opening(match, number: int) -> int:
    found = Round.objects.filter(match_id=match.id, number=number)
    return found.order_by("opening_version")[0].opening_version


def test_what_was_before_a_roll_back_can_be_loaded(ada):
    match = played_to_round(opened(ada), 2)
    opening = _opening(match, 2)
    match = rolled_back(played(match, match.version + 5), 2, ada)
    child = loading.load(match_id=match.id, user=ada, cards="same", version=opening + 3)
    assert child.state == match_at(match, opening + 3).state
    with pytest.raises(BadSave):
        loading.load(match_id=match.id, user=ada, cards="same", version=match.version)
    called_off(match)
    check(played(child, child.version + 9))


def test_what_cannot_be_rolled_back(ada):
    match = played(opened(ada), 5)
    for number in (0, 2):
        with pytest.raises(CannotReferee):
            rolled_back(match, number, ada)
    child = loading.load(match_id=match.id, user=ada, cards="reshuffled", version=4)
    with pytest.raises(CannotReferee):
        rolled_back(child, 1, ada)
    child = rolled_back(played(played_to_round(child, 2), child.version + 60), 2, ada)
    called_off(match)
    check(child)


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("undone", lambda r: replace(r, undone=False)),
        ("reshuffled", lambda r: replace(r, reshuffled=None) if r.reshuffled else r),
        ("shuffles", lambda r: replace(r, shuffles=r.shuffles[::-1]) if r.reshuffled else r),
        ("moves", lambda r: replace(r, moves=r.moves[:-1]) if r.undone else r),
    ],
)
def test_a_record_that_lies_about_a_roll_back(ada, what, change):
    match = rolled_back(played(opened(ada, game="pazaak"), 6), 1, ada)
    found = records.of(now(called_off(match)))
    lie = replace(found, rounds=tuple(map(change, found.rounds)))
    assert lie != found
    assert record.verify(lie) is not None


def test_bots_play_on(ada):
    match = opened(ada, "bot counter, bot greedy")
    match = rolled_back(played(match, 20), 1, ada)
    assert Match.objects.get(id=match.id).bot_due_at is not None
    check(played(match, match.version + 30))


# Taking a round back among people (FORMAT.md §2, Rolled back), and alone (Loaded matches).


def pair(ada, ben, game="pisti", **more):
    match = opened(ada, "me, open", game, **{"rated": False} | more)
    return joining.join(match_id=match.id, user=ben)


def table(ada, ben, cleo, *, computer=False):
    seats = "me, open, open" + ", bot lowest" * computer
    options = {"players": 3 + computer}
    match = opened(ada, seats, "shithead", rated=False, options=options)
    for person in (ben, cleo):
        match = joining.join(match_id=match.id, user=person)
    return match


def asks(match, user, **more):
    more = {"version": now(match).version} | more
    return rolling_back.ask_to_take_back(match_id=match.id, user=user, **more)


def answers(match, user, *, accept=True, version=None):
    version = now(match).version if version is None else version
    return rolling_back.answer_take_back(
        match_id=match.id, user=user, version=version, accept=accept
    )


def withdraws(match, user, version=None):
    version = now(match).version if version is None else version
    return rolling_back.withdraw_take_back(match_id=match.id, user=user, version=version)


@pytest.fixture
def match(ada, ben):
    """Unrated, at version 3 of the first deal."""
    return played(pair(ada, ben), 3)


class TestAsking:
    def test_it_waits_and_nothing_else_changes(self, match, ada):
        after = asks(match, ada)
        assert (after.take_back.seat, after.take_back.round, after.take_back.version) == (0, 1, 3)
        assert (after.version, after.state, after.status) == (3, match.state, "active")
        assert after.updated_at > match.updated_at

    def test_again_changes_nothing(self, match, ada):
        assert asks(match, ada) == asks(match, ada)

    def test_out_of_turn_as_well(self, match, ben):
        assert match.to_act == [1]
        assert asks(match, ben).take_back.seat == 1

    def test_a_move_ends_it(self, match, ada, ben):
        asks(match, ada)
        after = move(now(match))
        assert after.take_back is None
        with pytest.raises(NoWishToTakeBack):
            answers(match, ben, version=3)
        with pytest.raises(NoWishToTakeBack):
            withdraws(match, ada, version=3)

    def test_once_at_a_version(self, match, ada, ben):
        asks(match, ada)
        answers(match, ben, accept=False)
        with pytest.raises(WantedAlready):
            asks(match, ada)
        assert asks(match, ben).take_back.seat == 1
        withdraws(match, ben)
        for person in (ada, ben):
            with pytest.raises(WantedAlready):
                asks(match, person)
        assert asks(move(now(match)), ada).take_back.status == "waiting"

    def test_two_who_ask_for_the_same_agree(self, match, ada, ben):
        asks(match, ada)
        after = asks(match, ben)
        assert (after.version, after.take_back.status) == (4, "accepted")

    def test_an_earlier_round(self, ada, ben):
        match = move(played_to_round(pair(ada, ben), 2))
        asks(match, ada, round=1)
        with pytest.raises(WantedAlready):
            asks(match, ben, round=2)
        assert (answers(match, ben).round, now(match).seats[0].points) == (1, 0)

    def test_right_after_a_deal_it_is_the_round_before(self, ada, ben):
        match = played_to_round(pair(ada, ben), 2)
        assert asks(match, ada).take_back.round == 1

    def test_not_while_nothing_was_played(self, ada, ben):
        match = pair(ada, ben)
        with pytest.raises(CannotTakeBack):
            asks(match, ada)

    def test_not_a_round_that_is_not_there(self, match, ada):
        with pytest.raises(BadSave):
            asks(match, ada, round=2)

    def test_not_when_rated(self, ada, ben):
        with pytest.raises(MatchIsRated):
            asks(played(pair(ada, ben, rated=True), 2), ada)

    def test_not_at_another_version(self, match, ada):
        with pytest.raises(StaleVersion):
            asks(match, ada, version=2)

    def test_not_when_it_is_over(self, match, ada):
        with pytest.raises(MatchNotActive):
            asks(called_off(match), ada)

    def test_not_alone(self, ada):
        for seats in ("me, bot greedy", "me, local Twin"):
            with pytest.raises(NobodyToAsk):
                asks(played(opened(ada, seats, rated=False), 2), ada)

    def test_strangers_learn_nothing_and_spectators_do_nothing(self, match, ada, ben, cleo):
        with pytest.raises(NotYourSeat):
            asks(match, cleo)
        private = opened(ada, "me, user ben", rated=False, visibility="private")
        private = played(joining.join(match_id=private.id, user=ben), 2)
        asks(private, ada)
        for act in (asks, answers, withdraws):
            with pytest.raises(NoSuchMatch):
                act(private, cleo)

    def test_not_who_resigned(self, ada, ben, cleo):
        match = table(ada, ben, cleo)
        match = resigned(played(match, 3), 2)
        with pytest.raises(NotYourSeat):
            asks(match, cleo)
        with pytest.raises(CannotTakeBack):  # who is gone cannot agree to be back
            asks(match, ada)


class TestAnswering:
    def test_the_last_to_accept_takes_it_back(self, match, ada, ben):
        asks(match, ada)
        after = answers(match, ben)
        assert (after.version, after.round, after.status) == (4, 1, "active")
        assert Ply.objects.get(match_id=match.id, version=4).move == "rollback 1"
        assert Round.objects.filter(match_id=match.id).count() == 2
        assert list(verification.faults(after)) == []
        over = now(called_off(played(after, 6)))
        assert record.verify(record.write(records.of(over))) is None

    def test_nobody_knows_a_card_of_the_new_deal(self, match, ada, ben):
        """Cards that a spectator could not know at the opening lie elsewhere now."""
        before = Round.objects.get(match_id=match.id, number=1).decks
        asks(match, ada)
        answers(match, ben)
        assert Round.objects.get(match_id=match.id, undone_at=None).decks != before

    def test_the_same_answer_again_changes_nothing(self, match, ada, ben):
        asks(match, ada)
        assert answers(match, ben) == answers(match, ben, version=3)
        assert now(match).version == 4

    def test_declining_leaves_everything(self, match, ada, ben):
        asks(match, ada)
        after = answers(match, ben, accept=False)
        assert (after.take_back.status, after.take_back.declined_by, after.version) == (
            *("declined", 1),
            3,
        )
        assert answers(match, ben, accept=False) == after
        with pytest.raises(NoWishToTakeBack):
            answers(match, ben)

    def test_nobody_accepts_what_they_want_themselves(self, match, ada):
        asks(match, ada)
        for accept in (True, False):
            with pytest.raises(NoWishToTakeBack):
                answers(match, ada, accept=accept)

    def test_withdrawn_is_withdrawn(self, match, ada, ben):
        asks(match, ada)
        assert withdraws(match, ada) == withdraws(match, ada)
        with pytest.raises(NoWishToTakeBack):
            answers(match, ben)
        with pytest.raises(NoWishToTakeBack):
            withdraws(match, ben)

    def test_everybody_at_the_table(self, ada, ben, cleo):
        match = table(ada, ben, cleo, computer=True)
        match = played(match, 8)
        asks(match, ben)
        half = answers(match, ada)
        assert (half.take_back.status, half.take_back.agreed) == ("waiting", (0,))
        assert answers(match, ada) == half
        assert answers(match, cleo).take_back.status == "accepted"

    def test_but_not_one_for_whom_a_computer_plays(self, ada, ben, cleo):
        match = table(ada, ben, cleo)
        match = played(match, 5)
        by = Actor.of(cleo, "Cleo cannot reach her device.")
        refereeing.hand_to_bot(match_id=match.id, by=by, seat=2)
        asks(match, ada)
        with pytest.raises(NotYourSeat):
            answers(match, cleo)
        assert answers(match, ben).take_back.status == "accepted"


class TestAlone:
    def test_the_load_from_the_last_choice(self, ada):
        match = played(opened(ada, "me, bot greedy"), 4)
        own = Ply.objects.filter(match_id=match.id, seat=0).order_by("-version")[0]
        after = rolling_back.take_back_alone(match_id=match.id, user=ada)
        assert (after.parent_id, after.version, after.to_act) == (match.id, own.version - 1, [0])
        assert (after.rated, now(match).rated, now(match).version) == (False, False, match.version)

    def test_and_again_from_there(self, ada):
        match = played(opened(ada, "me, bot greedy"), 5)
        for _ in range(3):
            before, match = match, rolling_back.take_back_alone(match_id=match.id, user=ada)
            assert match.version < before.version

    def test_nothing_to_take_back(self, ada):
        with pytest.raises(BadSave):
            rolling_back.take_back_alone(match_id=opened(ada, "me, bot greedy").id, user=ada)

    def test_not_with_others(self, match, ada):
        with pytest.raises(Exception, match="same cards"):
            rolling_back.take_back_alone(match_id=match.id, user=ada)
