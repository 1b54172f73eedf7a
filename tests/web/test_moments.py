"""Moments on a page: the first deal, what bursts and burns, the best of a match."""

import re
from datetime import timedelta
from random import Random

import pytest
from django.test import RequestFactory

from cardroom.rules import catalog
from cardroom.rules.cards import CARD
from cardroom.rules.pazaak.predicates import TARGET
from cardroom.rules.pisti.events import Captured, CardPlayed, Pisti
from cardroom.rules.pisti.predicates import captures
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Setup
from config.clock import now_in_milliseconds
from games.matches.models import Match, Round
from games.matches.selectors.log import events_for, log_entries
from games.web.parts.headline import shape_words
from games.web.parts.motions import MOST_DEALT, best, fly, hands_together, seat_spot
from games.web.parts.table_page import table_page
from games.web.picture import picture_of
from games.web.table.ending import LONGEST_LOOKED_AT
from games.web.table.page import OPENING_PLIES, OPENING_SECONDS, shows_the_opening
from games.web.tables import page_of
from tests.matches.scenes import (
    called_off,
    now,
    opened,
    played,
    played_to_round,
    played_until,
    resigned,
)
from tests.web.browsing import signed_in

HOUSE = [game.slug for game in catalog.OF_THE_HOUSE]
EFFECTS = {
    "pisti": {"burst"},
    "pazaak": {"bust", "twenty"},
    "shithead": {"burn"},
    "pyanitsa": {"dispute"},
}


def plies_of(slug: str, seed: int, most: int = 600):
    """The plies of a random match, with their events as everybody knows them."""
    game = catalog.find(slug)
    options, shuffle, rng = game.choose_options(), seeded(Random(seed)), Random(seed)
    step = game.start(options, [Setup(f"p{n}") for n in range(game.seats(options))], shuffle)
    yield 0, [event.seen_by(None) for event in step.events]
    for version in range(1, most):
        acting = game.to_act(step.state)
        if not acting:
            return
        legal = [
            move for move in game.legal_moves(step.state, acting[0]) if not move.startswith("swap")
        ]
        step = game.play(step.state, acting[0], rng.choice(legal), shuffle)
        yield version, [event.seen_by(None) for event in step.events]


class TestMoments:
    @pytest.mark.parametrize("slug", HOUSE)
    def test_every_game_has_its_own(self, slug):
        motions = page_of(slug).motions
        found = {
            motion.effect
            for seed in range(6)
            for _, events in plies_of(slug, seed)
            for motion in motions(events)
        }
        assert found >= EFFECTS[slug]

    def test_a_pisti_bursts_before_the_pile_is_swept(self):
        ply = [
            CardPlayed(seat=0, card="7H", play_no=3),
            Captured(seat=0, count=2),
            Pisti(seat=0, side=0, kind="single", points=10),
        ]
        kinds = [(motion.kind, motion.effect) for motion in page_of("pisti").motions(ply)]
        assert kinds == [("move", ""), ("call", "burst"), ("sweep", "")]

    def test_who_is_bust_shakes(self):
        game = page_of("pazaak")
        plies = (events for seed in range(6) for _, events in plies_of("pazaak", seed))
        over = (event for events in plies for event in events if isinstance(event, game.closes))
        bust = next(event for event in over if event.reason == "bust")
        [shaken] = [each.start for each in game.motions([bust]) if each.effect]
        assert bust.totals[int(shaken[-1])] > TARGET


class TestDeals:
    def test_hands_are_dealt_around_the_table(self):
        hands = [fly("stock", seat_spot(seat), count=2) for seat in range(3)]
        [deal] = hands_together(hands)
        assert (deal.kind, deal.start) == ("deal", "stock")
        assert deal.to.split() == ["seat-0", "seat-1", "seat-2"] * 2

    def test_eighteen_hands_stay_few_flights(self):
        hands = [fly("stock", seat_spot(seat), count=9) for seat in range(18)]
        [deal] = hands_together(hands)
        assert len(deal.to.split()) <= MOST_DEALT

    def test_a_card_that_is_drawn_is_no_deal(self):
        drawn = [fly("stock", seat_spot(0)), fly("stock", seat_spot(1))]
        assert list(hands_together(drawn)) == drawn


def asked(rf: RequestFactory, shown: str | None = None, method: str = "get"):
    return getattr(rf, method)("/", {} if shown is None else {"shown": shown})


class TestTheFirstDeal:
    @pytest.mark.parametrize("slug", HOUSE)
    def test_a_match_that_opens_is_dealt(self, at_home, ada, slug):
        options = {"exchange": False} if slug == "shithead" else {}
        match = opened(ada, "me, bot random", game=slug, options=options)
        page = at_home.open(f"/matches/{match.id}").page
        assert " is-opening" in page
        motions = page.split('<template id="motions">')[1].split("</template>")[0]
        assert 'data-kind="deal"' in motions

    def test_no_hand_of_others_is_in_it(self, at_home, ada):
        match = opened(ada, "me, bot random", game="pisti")
        page = at_home.open(f"/matches/{match.id}").page
        rival = catalog.find("pisti").view(match.state, 1)
        motions = page.split('<template id="motions">')[1].split("</template>")[0]
        assert not [code for code in rival.hand if f'data-code="{code}"' in motions]

    def test_who_waited_for_players_sees_it(self, rf, ada):
        match = opened(ada, "me, local Twin", game="pisti")
        assert shows_the_opening(asked(rf, "0-open-uo-0-0--5"), match)
        assert not shows_the_opening(asked(rf, "0-active-uu-0-0--5"), match)
        assert shows_the_opening(asked(rf), match)

    def test_a_form_that_was_sent_has_seen_it(self, rf, ada):
        match = opened(ada, "me, local Twin", game="pisti")
        assert not shows_the_opening(asked(rf, method="post"), match)

    def test_who_comes_late_sees_the_table_as_it_is(self, rf, ada):
        match = opened(ada, "me, local Twin", game="pisti")
        late = now_in_milliseconds() - timedelta(seconds=OPENING_SECONDS + 1)
        Match.objects.filter(id=match.id).update(started_at=late)
        assert not shows_the_opening(asked(rf), now(match))

    def test_a_match_that_went_on_or_is_over_opens_no_more(self, rf, ada):
        went_on = played(opened(ada, "me, local Twin", game="pisti"), OPENING_PLIES + 1)
        assert not shows_the_opening(asked(rf), went_on)
        assert not shows_the_opening(asked(rf), called_off(opened(ada, "me, local Twin")))


class TestTheBestMoment:
    @pytest.mark.parametrize("slug", HOUSE)
    def test_it_is_a_ply_of_the_match(self, slug):
        plies = list(plies_of(slug, 5))
        found = best(page_of(slug).candidates(plies))
        assert found is not None
        assert found.event in dict(plies)[found.clip.version]
        assert found.clip.flying or found.clip.lying

    def test_a_capture_shows_the_card_that_was_taken(self):
        """The card below is one that the card that flies in takes (R11)."""
        for found in page_of("pisti").candidates(plies_of("pisti", 2)):
            [lying], [flying] = found.clip.lying, found.clip.flying
            assert captures(CARD[flying], CARD[lying])

    def test_a_pisti_is_better_than_any_capture(self):
        found = best(page_of("pisti").candidates(plies_of("pisti", 11)))
        all_made = [
            event for _, events in plies_of("pisti", 11) for event in events
            if isinstance(event, Pisti)
        ]  # fmt: skip
        assert all_made
        assert isinstance(found.event, Pisti)
        assert found.event.points == max(each.points for each in all_made)


MOMENTS = re.compile(
    r'<ul class="moments".*?</ul>|<figcaption><span class="clip-name">.*?</figcaption>', re.DOTALL
)


class TestEndings:
    @pytest.mark.parametrize("slug", HOUSE)
    def test_it_is_counted_replayed_and_shared(self, at_home, ada, slug):
        options = {
            "pisti": {"target_score": None},
            "shithead": {"exchange": False},
            "pyanitsa": {"max_tricks": 20},
        }.get(slug, {})
        match = played(opened(ada, "me, local Twin", game=slug, options=options))
        page = at_home.open(f"/matches/{match.id}").page
        ending = page.split('id="match-ending"')[1].split("</section>")[0]
        assert "data-tally" in ending
        assert '<figure class="clip' in ending
        assert f"/matches/{match.id}/share.png" in ending
        assert f"/matches/{match.id}/share.svg" in ending
        assert "https://wa.me/?text=" in ending

    @pytest.mark.parametrize("slug", HOUSE)
    def test_its_best_moments_are_told_to_who_made_them(self, at_home, ada, stranger, slug):
        """*You*, where strangers read a name; and each reads it so after the other."""
        options = catalog.find(slug).short
        match = played(opened(ada, "me, bot random", slug, options=options, visibility="public"))
        pages = [browser.open(f"/matches/{match.id}").page for browser in (at_home, stranger)]
        own, others = (" ".join(MOMENTS.findall(page)) for page in pages)
        assert "Ada" not in own
        assert not re.search(r"\bYou\b", others)
        assert ("Ada" in others) == bool(re.search(r"\b[Yy]ou\b", own))

    def test_the_share_link_tells_names_and_nothing_secret(self, at_home, ada):
        match = played(opened(ada, "me, local Twin", game="pisti", options={"target_score": None}))
        page = signed_in(ada).open(f"/matches/{match.id}").page
        link = page.split("https://wa.me/?text=")[1].split('"')[0]
        assert str(match.id) in link
        assert match.seed.hex() not in link

    def test_a_match_that_runs_shows_the_picture_of_the_house(self, at_home, ada):
        match = opened(ada, "me, local Twin", game="pisti")
        page = at_home.open(f"/matches/{match.id}").page
        assert "share.png" not in page


# The causes of a result, at the end of a round and in the picture of the match.

CAUSES = re.compile(r'<span class="causes">(.*?)</span></span>', re.DOTALL)
SPAN = re.compile(r"<span data-part>(.*?) <b>(.*?)</b>")


def shown(page):
    """The causes of each seat, in the order of the ending."""
    return [SPAN.findall(each) for each in CAUSES.findall(page)]


def played_out(match, until=lambda _: False):
    return played_until(now(match), until, Random(3))


def events_of(match):
    return [event for entry in log_entries(match) for event in events_for(match, entry, None)]


def test_pyanitsa_shows_where_the_cards_come_from(ada, at_home):
    match = played_out(opened(ada, "me, local Twin", "pyanitsa", options={"max_tricks": 25}))
    sides = shown(at_home.open(f"/matches/{match.id}").page)
    assert len(sides) == 2
    held = [
        sum(int(points.replace("−", "-").replace("+", "")) for _what, points in side)
        for side in sides
    ]
    view = match.rules.view(match.state, None)
    cards = [a + b for a, b in zip(view.draw_counts, view.won_counts, strict=True)]
    assert held == sorted(cards, reverse=True)
    causes = {what for side in sides for what, _ in side}
    assert {"dealt"} <= causes <= {"dealt", "plain tricks", "disputes"}  # none that came to nothing
    pictured = [side.causes[0] for side in picture_of(match, with_cards=True).sides]
    assert pictured in (["dealt 18", "dealt 18"], ["dealt +18", "dealt +18"])


def shithead(ada):
    options = {"games": 2, "exchange": False}
    return opened(ada, "me, bot lowest", "shithead", options=options)


def second_game(ada):
    """A match whose first game is over, not too long for its causes to be looked for."""
    match = played_out(shithead(ada), until=lambda match: match.round == 2)
    return match if match.version <= LONGEST_LOOKED_AT else second_game(ada)


def test_shithead_counts_what_a_game_cost(ada, stranger):
    """Of the game that is over alone; the next one has begun."""
    match = second_game(ada)
    page = stranger.open(f"/matches/{match.id}").page
    first = events_of(match)
    picked = sum(getattr(each, "count", 0) for each in first if type(each).__name__ == "PickedUp")
    told = [int(n) for side in shown(page) for what, n in side if what == "cards picked up"]
    assert sum(told) == picked


def test_a_second_game_starts_at_nothing(ada, at_home):
    match = second_game(ada)
    before = events_of(match)
    match = played_out(match)
    while match.version > LONGEST_LOOKED_AT:
        match = second_game(ada)
        before = events_of(match)
        match = played_out(match)
    after = events_of(match)[len(before) :]
    burned = sum(type(each).__name__ == "Burned" for each in after)
    page = at_home.open(f"/matches/{match.id}").page
    told = [int(n) for side in shown(page) for what, n in side if what == "piles burned"]
    assert sum(told) == burned


# The shape of a match on its table: match point between rounds, leads at the end.


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
        """The sentences about a match with these scores."""
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
