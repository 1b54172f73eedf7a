"""Matches by rules that hardly ever end are not rated, whenever that is found out."""

import msgspec
import pytest
from django.core.cache import cache

from accounts import services
from cardroom.arena import reports
from cardroom.rules import catalog
from config.tasks import duties
from games.matches import joining, rating
from games.matches.refusals import CannotBeRated
from games.simulations import house_rules
from tests.matches.scenes import now, opened, resigned
from tests.patience import wait_until

SEATS = "me, bot rookie"
ENDLESS = {"max_rounds": 1}
MAY_STOP = [
    (game, options)
    for game in catalog.GAMES
    for options in (game.options(), *game.presets.values())
    if game.may_be_stopped(options)
]


@pytest.fixture(autouse=True)
def _few_matches(monkeypatch):
    cache.clear()
    monkeypatch.setattr(reports, "MATCHES", 50)
    monkeypatch.setattr(house_rules, "SECONDS", 60)


def try_out() -> None:
    """The task of a worker that tries the options."""
    chosen = catalog.find("pazaak").choose_options(ENDLESS)
    house_rules.try_options("pazaak", msgspec.json.encode(chosen).decode())


@pytest.mark.django_db
def test_rules_that_are_known_to_go_on_for_ever_are_not_rated(ada):
    try_out()
    assert not opened(ada, SEATS, "pazaak", options=ENDLESS).rated
    assert opened(ada, SEATS, "pazaak").rated


@pytest.mark.django_db
def test_a_match_is_unrated_once_its_rules_are_found_to_go_on_for_ever(ada):
    match = opened(ada, SEATS, "pazaak", options=ENDLESS)
    waiting = opened(ada, "me, open", "pazaak", options=ENDLESS)
    over = resigned(opened(ada, SEATS, "pazaak", options=ENDLESS), 0)
    other = opened(ada, SEATS, "pazaak", options={"max_rounds": 99})
    assert match.rated
    try_out()

    def are_unrated():
        duties.work("unfit ratings")  # a piece at a time, as long as it may take
        return not now(match).rated and not now(waiting).rated

    wait_until(are_unrated)
    assert now(match).version == match.version
    assert now(over).rated
    assert now(other).rated


@pytest.mark.django_db
def test_what_is_found_out_while_the_match_is_written_counts(ada, monkeypatch):
    answers = [None, False]
    monkeypatch.setattr(rating.house_rules, "may_be_rated", lambda *_: answers.pop(0))
    match = opened(ada, SEATS, "pazaak", options=ENDLESS)
    assert not match.rated
    assert not now(match).rated


@pytest.mark.parametrize(("game", "options"), MAY_STOP)
def test_the_rules_that_every_table_offers_lead_to_an_end(game, options):
    assert house_rules.ends(reports.forecast(game, options, lambda: False))


@pytest.mark.django_db
class TestTerms:
    """Rating is decided before a match begins; a request for it is granted or refused."""

    @pytest.mark.parametrize(
        ("game", "seats", "more", "why"),
        [
            ("pyanitsa", "me, open", {}, "luck"),
            ("pisti", "me, local Twin", {}, "device"),
            ("pazaak", "me, bot cheater", {}, "against"),
            ("pisti", "me, open", {"turn_seconds": 60, "on_timeout": "bot_move"}, "time is up"),
            ("pisti", "me, open, bot greedy", {"options": {"players": 3}}, "among themselves"),
        ],
    )
    def test_what_cannot_be_rated_is_refused_where_it_must_be(self, ada, game, seats, more, why):
        assert not opened(ada, seats, game, **more).rated
        with pytest.raises(CannotBeRated, match=why):
            opened(ada, seats, game, only_rated=True, **more)

    def test_a_guest_makes_a_match_unrated_before_it_begins(self, ada):
        match = opened(ada, "me, open")
        assert match.rated
        begun = joining.join(match_id=match.id, user=services.open_guest())
        assert (begun.status, begun.rated) == ("active", False)
        assert not opened(services.open_guest(), "me, bot greedy").rated

    def test_a_guest_cannot_join_a_match_that_must_be_rated(self, ada, ben):
        match = opened(ada, "me, open", only_rated=True)
        with pytest.raises(CannotBeRated, match="Sign up"):
            joining.join(match_id=match.id, user=services.open_guest())
        assert joining.join(match_id=match.id, user=ben).rated

    def test_a_wish_holds_for_the_rematch(self, ada):
        over = resigned(opened(ada, "me, bot greedy", rated=False), 0)
        assert not over.rated
        assert not joining.open_rematch(match_id=over.id, user=ada).rated
