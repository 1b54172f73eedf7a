"""A match goes on from an earlier round, dealt again; all of it can be verified (FORMAT.md §2)."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from accounts.audit.log import Actor
from accounts.models import User
from cardroom.rules import catalog, record
from games.matches import loading, records, verification
from games.matches.models import Match, Ply, Round
from games.matches.refusals import BadSave, StaleVersion
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
