"""Once more with the same people: who wants it, who does not, and the score of all of it."""

import pytest

from games.lobby import rematches
from games.lobby.finding import TableFilter, remember
from games.lobby.models import SeriesMatch
from games.lobby.rematches import note, series_of, series_of_person, standing_of
from games.matches import joining
from games.matches.joining import open_rematch
from games.matches.models import Match, Seat
from games.matches.refusals import MatchNotOpen
from games.operations.own_data import data_of
from tests.matches.scenes import now, opened, resigned

PRESET = "single"


def begun(host, *others, **more):
    seats = ", ".join(["me", *["open"] * len(others)])
    match = opened(host, seats, options={"players": 1 + len(others)}, **more)
    for other in others:
        match = joining.join(match_id=match.id, user=other)
    return match


def lost_by(match, *people):
    """The match after these people resigned in turn."""
    for person in people:
        match = resigned(match, match.seats_of(person.id)[0])
    return match


def again(match, *people):
    return [rematches.ask(match_id=match.id, user=person) for person in people][-1]


def refuse(match, person):
    return rematches.refuse(match_id=match.id, user=person)


@pytest.fixture
def over(ada, ben):
    return lost_by(begun(ada, ben), ben)


class TestStanding:
    def test_nobody_wants_one_yet(self, over, ada):
        assert standing_of(over, ada.id) is None

    def test_one_wants_it_and_the_other_is_asked(self, over, ada, ben):
        match = again(over, ada)
        for reader in (ada, ben):
            standing = standing_of(over, reader.id)
            assert (standing.match, standing.status) == (match.id, "open")
            assert (standing.wants, standing.awaited, standing.declined) == ((0,), (1,), ())

    def test_the_second_press_begins_it(self, over, ada, ben, cleo):
        match = again(over, ada, ben)
        assert match.status == "active"
        for reader in (ada.id, ben.id, cleo.id, None):
            assert standing_of(over, reader).status == "active"

    def test_a_private_one_is_nobody_elses(self, ada, ben, cleo):
        private = lost_by(begun(ada, ben, visibility="unlisted"), ben)
        Match.objects.filter(id=private.id).update(visibility="private")
        again(private, ada)
        assert standing_of(now(private), ben.id) is not None
        assert standing_of(now(private), cleo.id) is None
        refuse(private, ben)
        assert standing_of(now(private), ben.id).declined == (1,)

    def test_no_is_said_by_name(self, over, ada, ben):
        match = again(over, ada)
        refuse(over, ben)
        refuse(over, ben)
        assert now(match).status == "aborted"
        assert standing_of(over, ada.id).declined == (1,)
        assert now(match).seats[0].declined == "generic"

    def test_the_one_who_asked_takes_it_back(self, over, ada, ben):
        match = again(over, ada)
        refuse(over, ada)
        assert now(match).status == "aborted"
        standing = standing_of(over, ben.id)
        assert (standing.status, standing.declined) == ("aborted", ())
        assert again(over, ben).id != match.id

    def test_withdrawn_too_late_it_has_begun(self, over, ada, ben):
        match = again(over, ada, ben)
        with pytest.raises(MatchNotOpen, match="has begun"):
            refuse(over, ada)
        assert now(match).status == "active"

    def test_one_of_three_changes_their_mind(self, ada, ben, cleo):
        over = lost_by(begun(ada, ben, cleo), ben, cleo)
        match = again(over, ada, ben)
        standing = standing_of(over, cleo.id)
        assert (standing.wants, standing.awaited) == ((0, 1), (2,))
        refuse(over, ben)
        assert now(match).status == "aborted"
        assert standing_of(over, cleo.id).declined == (1,)

    def test_whoever_blocked_is_not_asked(self, over, ada, ben):
        again(over, ada)
        joining.block_player(match_id=over.id, user=ben, seat=0)
        assert standing_of(over, ben.id).awaited == ()

    def test_a_stranger_cannot_refuse_it(self, over, ada, cleo):
        match = again(over, ada)
        refuse(over, cleo)
        assert now(match).status == "open"


class TestOnAProfile:
    @pytest.fixture
    def series(self, ada, ben):
        first = lost_by(begun(ada, ben, visibility="public"), ben)
        return lost_by(again(first, ada, ben), ben)

    def test_a_line_each_the_own_wins_first(self, series, ada, ben):
        (line,) = series_of_person(ada.id, None).read()
        assert (line.opponent, line.own, line.other, line.match) == ("Ben", 2, 0, series.id)
        (line,) = series_of_person(ben.id, ada.id).read()
        assert (line.opponent, line.own, line.other) == ("Ada", 0, 2)

    def test_what_is_not_public_is_for_those_who_played(self, series, ada, ben, cleo):
        Match.objects.filter(id=series.id).update(visibility="unlisted")
        assert (
            series_of_person(ada.id, cleo.id).read() == series_of_person(ada.id, None).read() == []
        )
        assert len(series_of_person(ada.id, ben.id).read()) == 1

    def test_not_against_computers(self, ada):
        first = resigned(opened(ada, "me, bot greedy", preset=PRESET, visibility="public"), 0)
        resigned(again(first, ada), 1)
        assert series_of_person(ada.id, ada.id).read() == []

    def test_one_has_it_among_the_own_data(self, series, ada):
        remember(ada.id, TableFilter("pazaak"))
        data = data_of(ada)
        assert data["lobby_filter"] == "game=pazaak"
        assert [row["match_id"] for row in data["series"]][1:] == [series.id]


class TestSeries:
    def test_one_match_is_no_series(self, over):
        assert series_of(over) is None

    def test_two_to_one_by_seat_of_the_match_that_is_looked_at(self, over, ada, ben):
        second = again(over, ada, ben)
        series = series_of(second)
        assert (series.id, series.matches, series.wins) == (over.id, 1, (0, 1))  # Ben, Ada
        second = lost_by(second, ada)
        third = lost_by(again(second, ben, ada), ben)
        assert [third.seats[seat].name for seat in (0, 1)] == ["Ada", "Ben"]
        assert (series_of(third).matches, series_of(third).wins) == (3, (2, 1))
        assert series_of(now(over)).wins == (2, 1)
        assert series_of(now(second)).wins == (1, 2)

    def test_three_at_a_table(self, ada, ben, cleo):
        first = lost_by(begun(ada, ben, cleo), ben, cleo)
        second = lost_by(again(first, cleo, ada, ben), ada, ben)
        third = again(second, ada, ben, cleo)
        names = [seat.name for seat in third.seats]
        assert dict(zip(names, series_of(third).wins, strict=True)) == {
            "Ada": 1,
            "Ben": 0,
            "Cleo": 1,
        }

    def test_against_a_computer(self, ada):
        first = resigned(opened(ada, "me, bot greedy", preset=PRESET), 0)
        second = again(first, ada)
        assert series_of(second).wins == (1, 0)

    def test_what_was_called_off_does_not_count(self, over, ada, ben):
        again(over, ada)
        refuse(over, ben)
        assert series_of(again(over, ada, ben)).matches == 1

    def test_a_host_who_lets_a_computer_play_begins_anew(self, over, ada, ben):
        match = again(over, ada)
        seat = next(seat.index for seat in match.seats if seat.invited_id == ben.id)
        begins = joining.fill_seat(match_id=match.id, host=ada, seat=seat, bot="greedy")
        assert series_of(begins) is None
        assert series_of(lost_by(begins, ada)).matches == 1

    def test_it_follows_from_the_matches(self, over, ada, ben):
        """Rematches from before there were series, and a note that was lost."""
        second = lost_by(joined_rematch(over, ada, ben), ada)
        third = joined_rematch(second, ada, ben)
        assert not SeriesMatch.objects.exists()
        note(third)
        noted = list(SeriesMatch.objects.order_by("turned").values_list("match", "turned"))
        assert noted == [(over.id, 0), (second.id, 1), (third.id, 2)]
        note(third)
        assert SeriesMatch.objects.count() == 3

    def test_a_match_without_one_costs_no_statement(self, ada, django_assert_num_queries):
        match = opened(ada)
        with django_assert_num_queries(0):
            assert series_of(match) is None


def joined_rematch(match, host, other):
    waiting = open_rematch(match_id=match.id, user=host)
    return joining.join(match_id=waiting.id, user=other)


def test_asking_is_refused_as_ever(over, cleo):
    with pytest.raises(Exception, match="Only its players"):
        again(over, cleo)
    assert not SeriesMatch.objects.exists()
    assert Seat.objects.filter(match__previous=over.id).count() == 0
