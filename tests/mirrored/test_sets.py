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
from games.ratings import rating
from games.ratings.models import PersonRating, RatedMatch, RatedSeat
from games.ratings.people import standings_of
from tests.api.calls import get
from tests.matches.scenes import played
from tests.mirrored.sets import SHORT, begin, between, following, legs, newest, to_its_end
from tests.mirrored.test_duplicates import dan, tables  # noqa: F401 - fixtures
from tests.ratings.test_people import recount, rows
from tests.web.browsing import signed_in

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


# A duplicate is rated as one result, on a board of its own, derived again by the recount.
#
# So are the sets that began while sets were rated: what is stored of them counts as it did.

BOARD = "pazaak/mirrored/two/people"


def rated_then(first):
    """As it was opened then."""
    Match.objects.filter(id=first.id).update(rated=True, rated_wish=None)
    return first


def given_up(first, by):
    """The whole set is resigned by one person, match by match."""
    while legs(first)[0].of.over_at is None:
        leaving.resign(match_id=newest(first).id, caller=Caller(user=by.pk))
        opening.go_on_with_all()


def test_a_set_is_one_result_at_its_last_match(ada, ben):
    first = rated_then(between(ada, ben))
    for _ in range(5):
        leaving.resign(match_id=newest(first).id, caller=Caller(user=ben.pk))
        opening.go_on_with_all()
        assert rating.rate_finished() == 0
    leaving.resign(match_id=newest(first).id, caller=Caller(user=ben.pk))
    assert rating.rate_finished() == 1  # before the beat has revealed the set
    rated = RatedMatch.objects.get()
    assert (rated.board, rated.match_id) == (BOARD, newest(first).id)
    won, lost = (standings_of(one.pk) for one in (ada, ben))
    assert [len(won), len(lost)] == [1, 1]
    assert won[0].rating > 1500 > lost[0].rating
    assert won[0].matches == 1
    assert rating.rate_finished() == 0


def test_the_winner_is_who_won_more_pairs_whatever_the_last_match(ada, ben):
    first = rated_then(between(ada, ben))
    to_its_end(first)
    rating.rate_finished()
    places = {row.account_id: row.place for row in RatedSeat.objects.all()}
    winner = standing_of(first.id, ada.pk).result.winner
    wanted = {None: (1, 1), 0: (1, 2), 1: (2, 1)}[winner]
    assert (places[ada.pk], places[ben.pk]) == wanted


def test_the_recount_proves_it_and_mends_it(ada, ben):
    given_up(rated_then(between(ada, ben)), ben)
    given_up(rated_then(between(ben, ada)), ben)
    rating.rate_finished()
    right = rows()
    recount()
    assert rows() == right
    RatedSeat.objects.filter(account=ada).update(mean=1.0)
    PersonRating.objects.filter(account=ben).delete()
    recount(mend=True)
    assert rows() == right


def test_one_match_taken_out_takes_the_set_out(ada, ben):
    first = rated_then(between(ada, ben))
    given_up(first, ben)
    rating.rate_finished()
    assert rating.annul([first.id]) == 6
    rating.rate_finished()
    assert not PersonRating.objects.exists()
    assert not RatedSeat.objects.exists()


def test_a_set_with_an_unrated_match_is_not_rated(ada, ben):
    first = between(ada, ben)
    given_up(first, ben)
    assert rating.rate_finished() == 0
    assert {leg.match.rated for leg in legs(first)} == {False}


def test_against_a_computer_it_is_rated_apart(ada):
    to_its_end(rated_then(begin(ada)))
    rating.rate_finished()
    assert RatedMatch.objects.get().board == "pazaak/mirrored/two/computers"


def test_a_duplicate_rates_all_four(tables, ada, ben, cleo, dan):  # noqa: F811
    leaving.resign(match_id=tables[0].id, caller=Caller(user=ben.pk))
    played(tables[1])
    assert rating.rate_finished() == 1
    places = {row.account_id: row.place for row in RatedSeat.objects.all()}
    assert places == {ada.pk: 1, cleo.pk: 1, ben.pk: 2, dan.pk: 2}


def test_the_leaderboard_and_the_match_tell_it(ada, ben, first):
    one = rated_then(between(ada, ben))
    given_up(one, ben)
    rating.rate_finished()
    page = signed_in(ada).open("/leaderboards/pazaak?pace=mirrored&sides=more")
    assert "Mirrored" in page.text
    assert get(first, "leaderboards/pazaak?pace=mirrored").json()["pace"] == "mirrored"
    last = get(first, f"matches/{newest(one).id}").json()
    assert [change["seat"] for change in last["rating_changes"]] == [0, 1]
    assert (
        "rating_changes" not in get(first, f"matches/{one.id}").json()
        or not get(first, f"matches/{one.id}").json()["rating_changes"]
    )
