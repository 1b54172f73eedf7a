"""What a table says of the shape of its match: match point between rounds, leads at the end."""

import pytest

from games.matches.models import Round
from games.web.parts.headline import shape_words
from games.web.parts.table_page import table_page
from tests.matches.scenes import now, opened, played, played_to_round, resigned
from tests.web.browsing import signed_in


@pytest.fixture
def second_deal(ada):
    """Ada has 140 points of 151 after the first deal."""
    match = played_to_round(opened(ada, "me, bot greedy"), 2)
    Round.objects.filter(match_id=match.id, number=1).update(scores=[140, 7])
    return match


class TestMatchPoint:
    def test_it_is_told_between_rounds_and_in_the_scores(self, ada, second_deal):
        page = signed_in(ada).open(f"/matches/{second_deal.id}").page
        ending, scores = page.split('class="round-ending')[1].split('class="card sheet')
        assert "Match point: Ada" in ending
        assert "Match point: Ada" in scores

    def test_a_screen_reader_hears_it(self, ada, second_deal):
        page = signed_in(ada).open(f"/matches/{second_deal.id}").page
        assert "Match point: Ada." in page.split('data-said="')[1].split('"')[0]

    def test_not_while_nobody_is_near(self, ada):
        match = played_to_round(opened(ada, "me, bot greedy"), 2)
        assert "Match point" not in signed_in(ada).open(f"/matches/{match.id}").page

    def test_nor_when_it_is_over(self, ada, second_deal):
        over = resigned(now(second_deal), 0)
        assert "Match point" not in signed_in(ada).open(f"/matches/{over.id}").page

    def test_a_page_asks_the_database_no_more_often_for_it(
        self, ada, second_deal, django_assert_num_queries
    ):
        page = table_page(second_deal, ada.id)
        assert page.rounds
        with django_assert_num_queries(0):
            assert shape_words(page).match_point == "Match point: Ada"


class TestEnding:
    def told(self, ada, *scores):
        """What is told of a match with these scores."""
        match = resigned(opened(ada, "me, bot greedy"), 0)
        rounds = [Round(number=n, scores=list(each)) for n, each in enumerate(scores, start=1)]
        page = table_page(match, ada.id)
        page.__dict__["rounds"] = rounds
        return shape_words(page).sentences

    def test_how_the_lead_went(self, ada):
        assert self.told(ada, (10, 20), (30, 5), (5, 60), (60, 1), (9, 1)) == [
            "The lead changed 3 times.",
            "Deal 4: Ada took the lead for good.",
            "Longest streak: Ada, 2 in a row.",
        ]

    def test_who_led_all_the_time(self, ada):
        assert self.told(ada, (10, 2), (3, 5), (5, 3)) == ["Ada led from beginning to end."]

    def test_a_short_match_has_no_shape(self, ada):
        assert self.told(ada, (10, 2), (3, 5)) == []

    def test_it_stands_on_the_page(self, ada, second_deal):
        match = played(second_deal)
        Round.objects.filter(match_id=match.id).update(scores=[12, 7])
        text = signed_in(ada).open(f"/matches/{match.id}").text
        assert "Ada led from beginning to end." in text


class TestApi:
    def test_the_shape_of_a_match(self, first, second_deal):
        shape = first.get(f"/api/v1/matches/{second_deal.id}/shape").json()
        assert shape == {
            "match_point": [0],
            "lead_changes": 0,
            "turning_point": None,
            "streak": None,
            "rounds": [
                {"number": 1, "scores": [140, 7], "totals": [140, 7], "winner": 0, "leaders": [0]}
            ],
        }

    def test_nobody_is_at_match_point_when_it_is_over(self, first, second_deal):
        over = resigned(now(second_deal), 0)
        assert first.get(f"/api/v1/matches/{over.id}/shape").json()["match_point"] == []

    def test_others_do_not_find_a_private_match(self, ada, second):
        match = opened(ada, visibility="private")
        assert second.get(f"/api/v1/matches/{match.id}/shape").status_code == 404
