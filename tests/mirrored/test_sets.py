"""A set of mirrored matches from its opening to its result."""

import itertools
from collections import Counter
from hashlib import sha256
from random import Random

import msgspec
import pytest

from accounts.models import User
from cardroom.rules import record
from config.refusals import Refusal
from games.matches import joining, leaving, records
from games.matches.importing import Terms, store
from games.matches.models import Match, SharedDeal
from games.matches.refusals import DealIsSealed
from games.matches.selectors.access import Caller, get_match
from games.matches.selectors.lineage import rounds_of_match
from games.matches.verification import faults
from games.mirrored import opening
from games.mirrored.models import MirroredSet
from games.mirrored.opening import drawn_order
from games.mirrored.results import CannotBeMirrored, standing_of
from tests.matches.scenes import played
from tests.mirrored.sets import SHORT, begin, between, following, legs, newest, to_its_end

pytestmark = pytest.mark.django_db


def decks(match):
    return [bytes(one.decks) for one in rounds_of_match(match)]


def test_the_order_keeps_twins_apart_and_cannot_be_foreseen():
    orders = Counter(tuple(drawn_order(3, Random(n))) for n in range(3000))
    shapes = Counter()
    for order, times in orders.items():
        pairs = [place.pair for place in order]
        assert all(one != other for one, other in itertools.pairwise(pairs))
        assert sorted(order) == [(n, swapped) for n in range(3) for swapped in (False, True)]
        assert not order[0].is_swapped
        shapes[tuple(pairs.index(pair) for pair in pairs)] += times
    assert len(shapes) == 5  # of three pairs, by which match is the twin of which
    assert min(shapes.values()) > 450


@pytest.mark.parametrize("game", SHORT)
def test_a_set_is_played_one_match_after_the_other_and_dealt_alike_in_pairs(ada, game):
    bot = {"pisti": "greedy", "pazaak": "gambler", "shithead": "lowest"}[game]
    match = begin(ada, f"me, bot {bot}", game)
    assert Match.objects.count() == 1
    to_its_end(match)
    played = legs(match)
    assert len(played) == 6
    for one in played:
        twin = next(leg for leg in played if leg.deal_id == one.deal_id and leg.pk != one.pk)
        mine, other = get_match(one.match_id), get_match(twin.match_id)
        assert one.is_swapped != twin.is_swapped
        assert mine.seats[0].user_id == other.seats[1].user_id
        assert mine.commitment != other.commitment
        assert (len(mine.seed), mine.seed[:32]) == (64, other.seed[:32])
        assert sha256(mine.seed).hexdigest() == mine.commitment
        assert decks(mine)[0] == decks(other)[0]
        assert not list(faults(mine))
        assert record.verify(msgspec.json.decode(record.write(records.of(mine, ada.pk)))) is None
    if game == "shithead":
        fewer_points_are_better_where_they_are_places(match, ada)


def fewer_points_are_better_where_they_are_places(first, ada):
    for pair in standing_of(first.id, ada.pk).result.pairs:
        for one in pair:
            match = get_match(one.match_id)
            ada_won = ada.pk in [match.seats[seat].user_id for seat in match.outcome.winners]
            assert (one.margin > 0) == ada_won


def test_the_commitment_of_the_pair_is_that_of_no_match(ada):
    match = to_its_end(begin(ada))
    told = {Match.objects.get(id=leg.match_id).commitment for leg in legs(match)}
    assert len(told) == 6
    assert not told & set(SharedDeal.objects.values_list("commitment", flat=True))


def test_nothing_is_told_until_the_last_match_is_over(ada):
    first = begin(ada)
    for number in range(1, 6):
        match = to_its_end(first, number)
        assert standing_of(match.id, ada.pk).result is None
        with pytest.raises(DealIsSealed):
            records.of(match, ada.pk)
        following(first)
    last = played(newest(first))
    with pytest.raises(DealIsSealed):
        records.of(last, ada.pk)
    opening.go_on_with_all()
    for leg in legs(first):
        assert records.of(get_match(leg.match_id), ada.pk).seed
    assert standing_of(first.id, ada.pk).result is not None


def test_an_imported_record_verifies_and_is_mirrored_with_nothing(ada):
    first = begin(ada)
    to_its_end(first)
    line = record.write(records.of(get_match(first.id)))
    Match.objects.all().delete()
    assert store(line, Terms())
    again = get_match(first.id)
    assert (len(again.seed), again.is_mirrored) == (64, False)
    assert not list(faults(again))
    assert record.write(records.of(again)) == line


def test_skill_and_luck_are_what_the_margins_are_made_of(ada):
    first = begin(ada)
    to_its_end(first)
    standing = standing_of(first.id, ada.pk)
    assert standing.sides == (["Ada"], ["Gambler"])
    assert standing.own_side == 0
    by_id = {leg.match_id: leg for leg in legs(first)}
    for pair in standing.result.pairs:
        for one in pair:
            outcome = get_match(one.match_id).outcome
            own = int(by_id[one.match_id].is_swapped)  # ada's side there
            assert one.margin == outcome.points[own] - outcome.points[1 - own]
        assert pair.one.margin == (pair.skill + pair.luck) / 2
        assert pair.swapped.margin == (pair.skill - pair.luck) / 2
    assert standing.result.skill == sum(pair.skill for pair in standing.result.pairs)


def test_who_gives_one_match_up_loses_its_pair_and_the_set_goes_on(ada, ben):
    first = between(ada, ben)
    leaving.resign(match_id=first.id, caller=Caller(user=ada.pk))
    opening.go_on_with_all()
    assert newest(first).id != first.id
    to_its_end(first)
    pair = next(
        pair
        for pair in standing_of(first.id, ada.pk).result.pairs
        if first.id in [one.match_id for one in pair]
    )
    assert pair.winner == 1


def test_people_sit_down_once_and_swap(ada, ben):
    first = between(ada, ben)
    to_its_end(first)
    for leg in legs(first):
        names = [seat.name for seat in get_match(leg.match_id).seats]
        assert names == (["Ben", "Ada"] if leg.is_swapped else ["Ada", "Ben"])


def test_four_people_in_two_teams_swap_sides_and_keep_their_seats(ada):
    seats = "me, bot greedy, bot random, bot greedy"
    first = begin(ada, seats, "pisti", options={"players": 4, "teams": True, "target_score": None})
    to_its_end(first)
    for leg in legs(first):
        holders = [seat.user_id for seat in get_match(leg.match_id).seats]
        assert holders.index(ada.pk) == (3 if leg.is_swapped else 0)


def test_side_decks_stay_as_they_were_brought(ada):
    first = begin(ada, "me, bot gambler", "pazaak")
    to_its_end(first)
    brought = {
        tuple(seat.side_deck)
        for leg in legs(first)
        for seat in get_match(leg.match_id).seats
        if seat.user_id == ada.pk
    }
    assert len(brought) == 1


@pytest.mark.parametrize(
    ("seats", "game", "options", "why"),
    [
        ("me, bot random", "pyanitsa", {"players": 2}, "luck alone"),
        ("me, bot lowest, bot lowest", "shithead", {"players": 3}, "two sides"),
        ("me, local Cleo", "pisti", {}, "one device"),
        ("me, bot cheater", "pazaak", {}, "hidden cards"),
        ("bot greedy, bot greedy", "pisti", {}, "Take a seat"),
        ("me, bot greedy, open, bot greedy", "pisti", {}, "named"),
        ("me, user ben, bot greedy, user ben", "pisti", {}, "two seats"),
        ("me, bot greedy, me, bot greedy", "pisti", {}, "one seat"),
        ("bot greedy, bot greedy, me, bot greedy", "pisti", {}, "first table"),
    ],
)
def test_what_cannot_be_mirrored_is_refused_in_words(ada, ben, seats, game, options, why):
    with pytest.raises(Refusal, match=why):
        begin(ada, seats, game, options=options)
    assert not MirroredSet.objects.exists()
    assert not SharedDeal.objects.exists()


@pytest.mark.parametrize("pairs", [0, 2, 9])
def test_so_many_pairs_make_a_set(ada, pairs):
    with pytest.raises(CannotBeMirrored):
        begin(ada, pairs=pairs)


def test_a_set_that_nobody_joined_is_over_when_it_is_called_off(ada):
    match = begin(ada, "me, open")
    joining.stop(match_id=match.id, user=ada)
    opening.go_on_with_all()
    assert legs(match)[0].of.over_at is not None
    assert Match.objects.count() == 1


def test_a_match_that_has_begun_is_not_called_off_by_its_host(ada):
    match = begin(ada)
    with pytest.raises(Refusal):
        joining.stop(match_id=match.id, user=ada)


def test_a_set_ends_where_somebody_may_not_play_any_more(ada, ben):
    first = between(ada, ben)
    played(first)
    User.objects.filter(pk=ben.pk).update(is_active=False)
    opening.go_on_with_all()
    assert legs(first)[0].of.over_at is not None
    assert records.of(get_match(first.id), ada.pk).seed


def test_the_beat_may_come_twice(ada):
    first = begin(ada)
    played(first)
    assert opening.go_on_with_all() == 1
    assert opening.go_on_with_all() == 0
    assert Match.objects.count() == 2


def test_the_matches_are_private_until_all_are_over(ada, ben):
    first = between(ada, ben, visibility="public")
    assert Match.objects.get(id=first.id).visibility == "private"
    to_its_end(first)
    assert set(Match.objects.values_list("visibility", flat=True)) == {"unlisted"}
    closed = begin(ada, visibility="private")
    to_its_end(closed)
    assert Match.objects.get(id=closed.id).visibility == "private"


def test_bot_accounts_play_duplicates_only(ada, ben):
    User.objects.filter(pk=ben.pk).update(is_bot=True)
    ben.refresh_from_db()
    with pytest.raises(CannotBeMirrored, match="recognise"):
        begin(ada, "me, user ben")
    with pytest.raises(CannotBeMirrored, match="recognise"):
        begin(ben)
    match = begin(ada, "me, open")
    with pytest.raises(Refusal, match="recognise"):
        joining.join(match_id=match.id, user=ben)
