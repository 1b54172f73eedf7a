"""What a page shows of moments: the first deal, what bursts and burns, the best of a match."""

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
from games.matches.models import Match
from games.web.parts.motions import MOST_DEALT, best, fly, hands_together, seat_spot
from games.web.table.page import OPENING_PLIES, OPENING_SECONDS, shows_the_opening
from games.web.tables import page_of
from tests.matches.scenes import called_off, now, opened, played
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
        """What lies below is what the card that flies in takes (R11)."""
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
