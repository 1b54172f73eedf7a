"""People are rated by the matches that they finish: each once, in order, and taken back exactly."""

from datetime import timedelta
from io import StringIO
from math import exp, log

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from time_machine import travel

from accounts import services
from config.models import Trouble
from config.tasks import duties
from config.tasks.rows import piece as budget
from games.lobby.finding import known_ratings
from games.matches import joining, opening
from games.matches.models import Match, Seat
from games.people.counting import LATEST_COMMIT
from games.ratings import rating
from games.ratings.models import PersonRating, RatedMatch, RatedSeat
from games.ratings.people import standings_of
from games.ratings.scale import Belief, Board, expected, learnt, updated
from tests.matches.scenes import seat_requests
from tests.people.ended import against, between, four, resigned

pytestmark = pytest.mark.django_db
TURN = {"turn_seconds": 60}


def rows():
    """Everything that is stored of ratings, as it is."""
    seats = RatedSeat.objects.order_by("rated_match", "seat")
    newest = PersonRating.objects.order_by("account", "board")
    columns = ("account", "board", "mean", "variance", "matches", "at", "settled_until")
    return (
        list(
            seats.values_list(
                "rated_match", "seat", "mean_before", "variance_before", "mean", "variance"
            )
        ),
        list(newest.values_list(*columns)),
    )


def recount(**how):
    out = StringIO()
    with travel(timezone.now() + LATEST_COMMIT * 2):
        call_command("recount", stdout=out, **how)
    return out.getvalue()


def on_board(person, board):
    return next(one for one in standings_of(person.pk) if one.board == board)


def test_the_winner_gains_what_the_loser_loses(ada, ben):
    between(ada, ben, **TURN)
    assert rating.rate_finished() == 1
    won, lost = on_board(ada, Board("pisti")), on_board(ben, Board("pisti"))
    assert won.rating > 1550
    assert won.rating + lost.rating == pytest.approx(3000)
    assert won.matches == 1
    assert won.provisional
    assert rating.rate_finished() == 0


def test_equal_places_change_nothing_between_equals(ada, ben):
    match = between(ada, ben, **TURN)
    Seat.objects.filter(match=match.id).update(place=1)
    rating.rate_finished()
    assert on_board(ada, Board("pisti")).rating == on_board(ben, Board("pisti")).rating == 1500


def test_paces_sides_and_computers_are_rated_apart(ada, ben, cleo):
    between(ada, ben, turn_seconds=20)
    between(ada, ben)
    against(ada, "counter", **TURN)
    match = opening.open_match(
        creator=ada, game="pisti", seats=seat_requests("me, open, open"), options={"players": 3}
    )
    joining.join(match_id=match.id, user=ben)
    joining.join(match_id=match.id, user=cleo)
    resigned(resigned(match, ben), cleo)
    rating.rate_finished()
    assert [str(one.board) for one in standings_of(ada.pk)] == [
        "pisti/blitz/two/people",
        "pisti/normal/two/computers",
        "pisti/slow/more/people",
        "pisti/slow/two/people",
    ]
    lost_to_counter = on_board(ada, Board("pisti", opponents="computers"))
    assert 1400 < lost_to_counter.rating < 1500  # as was to be expected
    assert on_board(ben, Board("pisti", "slow", "more")).rating < 1500


def test_partners_share_what_is_learnt(ada, ben, cleo):
    dora = services.register(username="Dora", password="a long and quiet evening")
    match = four([ada, ben, cleo, dora])
    resigned(resigned(match, dora), ben)
    rating.rate_finished()
    board = Board("pisti", "slow")
    assert on_board(ada, board).rating == on_board(cleo, board).rating > 1500


def test_what_is_not_rated(ada, ben):
    between(ada, ben, "pyanitsa")
    between(ada, ben, rated=False)
    between(ada, services.open_guest())
    assert rating.rate_finished() == 0
    assert not RatedMatch.objects.exists()
    assert not Match.objects.filter(rated=True).exists()


def test_the_order_in_which_a_batch_is_read_does_not_matter(ada, ben, cleo):
    pairs = [(ada, ben), (ben, cleo), (cleo, ada), (ada, ben), (cleo, ben)]
    matches = [between(*pair, **TURN).id for pair in pairs]
    rating.rate_finished()
    right = rows()
    for order in ([4, 2, 0, 1, 3], [3, 4, 1, 0, 2]):
        RatedMatch.objects.all().delete()
        PersonRating.objects.all().delete()
        Match.objects.filter(id__in=matches).update(rated=False)
        for at in order:
            Match.objects.filter(id=matches[at]).update(rated=True)
            assert rating.rate_finished() == 1
        assert rows() == right


def test_a_match_that_is_taken_out_is_taken_back_exactly(ada, ben, cleo):
    first = between(ada, ben, **TURN)
    rating.rate_finished()
    before = rows()
    second = between(ben, cleo, **TURN)
    rating.rate_finished()
    rating.annul([second.id])
    rating.rate_finished()
    assert rows() == before
    between(cleo, ada, **TURN)
    rating.rate_finished()
    rating.annul([first.id])
    rating.rate_finished()
    assert not PersonRating.objects.filter(account=ben).exists()
    assert on_board(cleo, Board("pisti")).matches == 1
    assert "ratings: equal to a recount" in recount()


def test_a_recount_agrees_to_the_last_bit_and_mends(ada, ben, cleo):
    for pair in [(ada, ben), (ben, cleo), (cleo, ada), (ada, cleo)]:
        between(*pair, **TURN)
    against(ada, "greedy")
    rating.rate_finished()
    assert "ratings: equal to a recount" in recount()
    right = rows()
    seat = RatedSeat.objects.filter(account=ben).first()
    RatedSeat.objects.filter(pk=seat.pk).update(mean=seat.mean + 1e-9)
    PersonRating.objects.filter(account=ada, board="pisti/normal/two/people").update(matches=7)
    PersonRating.objects.filter(account=cleo).delete()
    with pytest.raises(CommandError, match="3 differ"):
        recount()
    assert "ratings: 3 mended" in recount(mend=True)
    assert rows() == right


def test_certainty_decays_with_time_away(ada, ben):
    match = between(ada, ben, **TURN)
    rating.rate_finished()
    PersonRating.objects.filter(account=ada).update(variance=0.3, settled_until=match.finished_at)
    now = on_board(ada, Board("pisti"))
    with travel(timezone.now() + timedelta(weeks=60)):
        later = on_board(ada, Board("pisti"))
    assert now.deviation < later.deviation
    assert not now.provisional
    assert later.provisional
    assert later.rating == now.rating


def test_pairing_and_lobby_know_the_rating(ada, ben):
    between(ada, ben, **TURN)
    rating.rate_finished()
    known = known_ratings("pisti", [ada.pk, ben.pk])
    assert known[ada.pk] > 1500 > known[ben.pk]


def test_a_match_that_cannot_be_rated_stops_no_other_one_and_is_rated_later(
    ada, ben, cleo, monkeypatch
):
    bad, good = between(ada, ben, **TURN), between(ada, cleo, **TURN)
    facts_of = rating.folding.facts_of

    def poisoned(matches):
        if bad.id in {match.id for match in matches}:
            raise ValueError("its options cannot be read")
        return facts_of(matches)

    with monkeypatch.context() as patch:
        patch.setattr(rating.folding, "facts_of", poisoned)
        assert rating.rate_finished() == 1
    assert [row.match_id for row in RatedMatch.objects.all()] == [good.id]
    Trouble.objects.update(next_at=timezone.now())
    assert rating.rate_finished() == 1
    assert not Trouble.objects.exists()


def test_many_are_rated_in_pieces_by_time(ada, ben, monkeypatch):
    monkeypatch.setattr(rating, "AT_ONCE", 1)
    for _ in range(3):
        between(ada, ben, **TURN)
    with budget(0.0) as piece:
        assert rating.rate_finished() == 1
    assert piece.more
    assert "ratings" in duties.due_since()
    assert rating.rate_finished() == 2


# The filter by itself: what a finishing order makes of beliefs.

EVEN = Belief(0.0, 2.0)


def test_two_sides_move_apart_by_as_much():
    won, lost = updated([EVEN, EVEN], [1, 2])
    assert won.mean == -lost.mean > 0
    assert won.variance == lost.variance < EVEN.variance


def test_a_surprise_moves_more_than_what_was_expected():
    strong, weak = Belief(1.0, 1.0), Belief(-1.0, 1.0)
    as_expected = updated([strong, weak], [1, 2])[0].mean - strong.mean
    surprise = strong.mean - updated([strong, weak], [2, 1])[0].mean
    assert surprise > 3 * as_expected > 0


def test_what_is_certain_hardly_moves():
    known, newcomer = Belief(0.0, 0.01), EVEN
    after_known, after_newcomer = updated([known, newcomer], [1, 2])
    assert after_known.mean < 0.01 < -after_newcomer.mean


def test_a_draw_of_equals_tells_that_they_are_alike():
    one, other = updated([EVEN, EVEN], [1, 1])
    assert one == other
    assert one.mean == 0
    assert one.variance < EVEN.variance


def test_a_draw_helps_the_weaker():
    strong, weak = updated([Belief(1.0, 1.0), Belief(-1.0, 1.0)], [1, 1])
    assert strong.mean < 1.0
    assert weak.mean > -1.0


def test_the_mode_is_that_of_belief_and_likelihood():
    """Against the slope of the logarithm itself: zero at the answer."""
    before, places = [Belief(0.3, 1.5), Belief(-0.2, 0.8), Belief(0.0, 2.0)], [2, 1, 3]

    def height(at):
        prior = -sum((x - b.mean) ** 2 / (2 * b.variance) for x, b in zip(at, before, strict=True))
        first = at[1] - log(sum(map(exp, at)))
        return prior + first + at[0] - log(exp(at[0]) + exp(at[2]))

    mode = [belief.mean for belief in updated(before, places)]
    for one in range(3):
        for by in (-1e-3, 1e-3):
            moved = [x + by * (at == one) for at, x in enumerate(mode)]
            assert height(moved) < height(mode)


@given(
    st.lists(st.floats(-4, 4), min_size=2, max_size=6).flatmap(
        lambda means: st.tuples(
            st.just(means),
            st.lists(st.integers(1, 4), min_size=len(means), max_size=len(means)),
            st.permutations(range(len(means))),
        )
    )
)
def test_seats_are_alike(scene):
    """A belief and a place lead to the same wherever their person sits."""
    means, places, order = scene
    beliefs = [Belief(mean, 1.0) for mean in means]
    straight = updated(beliefs, places)
    turned = updated([beliefs[at] for at in order], [places[at] for at in order])
    for position, at in enumerate(order):
        assert turned[position] == pytest.approx(straight[at], abs=1e-7)
        assert 0 < straight[at].variance <= 1.0


def test_a_prediction_knows_its_doubt():
    sure = expected(Belief(1.0, 0.01), Belief(-1.0, 0.01))
    doubtful = expected(Belief(1.0, 4.0), Belief(-1.0, 4.0))
    assert 0.5 < doubtful < sure < 1
    assert expected(EVEN, EVEN) == 0.5


def test_an_opponent_of_whom_less_is_known_weighs_less():
    settled, newcomer = Belief(0.0, 0.4), Belief(0.0, 4.0)
    plain, _ = updated([settled, newcomer], [1, 2])
    won, lost = learnt([settled, newcomer], [1, 2])
    assert won.mean == pytest.approx(plain.mean / 100)
    assert lost == updated([settled, newcomer], [1, 2])[1]
    assert learnt([EVEN, EVEN], [1, 2]) == updated([EVEN, EVEN], [1, 2])
