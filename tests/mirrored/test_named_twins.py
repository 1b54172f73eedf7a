"""Whether twins are known: by what a player may see, a script tries to name them.

It looks at the cards that lie open to everybody when a match begins, and says which earlier match
of the set was dealt alike. Where it is right, whoever remembers that match knows the rival's hand
and the stock. So no set is rated; nobody at a duplicate sees two matches of a pair.
"""

from random import Random

import msgspec
import pytest

from cardroom.rules import catalog
from cardroom.rules.shuffles import seeded
from games.competitions import taking_part
from games.competitions.taking_part import NewTournament
from games.matches.models import Match, Seat
from games.matches.refusals import CannotBeRated
from games.mirrored.opening import LEAST_PAIRS, drawn_order
from games.ratings import rating
from games.ratings.models import RatedMatch
from tests.api.calls import post, refused
from tests.matches.scenes import played
from tests.mirrored.sets import begin, between, legs, to_its_end
from tests.mirrored.test_duplicates import dan, tables  # noqa: F401 - fixtures
from tests.rules.playing import setups
from tests.web.browsing import signed_in

SETS = 40
TWO = [game for game in catalog.GAMES if not game.is_luck]


def open_cards(game, seed):
    """What everybody sees of a first deal, whoever has which side."""
    options = game.options()
    if hasattr(options, "players"):
        options = msgspec.structs.replace(options, players=2)
    events = game.start(options, setups(game, options), seeded(Random(seed))).events
    shown = [event.seen_by(None) for event in events]
    values = [getattr(event, name, ()) for event in shown for name in ("top", "values")]
    return sorted(str(card) for cards in values for card in _each(cards))


def _each(cards):
    return [cards] if isinstance(cards, str) else cards


def named(game, chance):
    """Of the matches of a set whose twin was played before, how many of them the script names."""
    seeds = [chance.random() for _ in range(LEAST_PAIRS)]
    seen, right, asked = [], 0, 0
    for place in drawn_order(LEAST_PAIRS, chance):
        cards = open_cards(game, seeds[place.pair])
        guess = [pair for pair, others in seen if others == cards]
        if place.pair in dict(seen):
            asked += 1
            right += guess == [place.pair]
        seen.append((place.pair, cards))
    return right, asked


@pytest.mark.parametrize("game", TWO, ids=lambda game: game.slug)
def test_a_script_names_the_twin_before_the_first_move(game):
    """By lot it would name one in three at the most."""
    chance = Random(game.slug)
    results = [named(game, chance) for _ in range(SETS)]
    right, asked = (sum(numbers) for numbers in zip(*results, strict=True))
    assert right > 0.8 * asked == 0.8 * SETS * LEAST_PAIRS


@pytest.mark.django_db
@pytest.mark.parametrize("game", TWO, ids=lambda game: game.slug)
def test_so_no_set_of_that_game_is_rated(ada, ben, game):
    assert not between(ada, ben, game.slug).rated
    assert not begin(ada, "me, bot random", game.slug).rated
    with pytest.raises(CannotBeRated):
        between(ada, ben, game.slug, only_rated=True)


@pytest.mark.django_db
def test_nothing_of_a_set_is_counted(ada, ben):
    first = between(ada, ben)
    to_its_end(first)
    assert {leg.match.rated for leg in legs(first)} == {False}
    assert rating.rate_finished() == 0


@pytest.mark.django_db
def test_nobody_at_a_duplicate_sees_both_and_it_is_rated(tables):  # noqa: F811
    seats = Seat.objects.filter(match__in=[table.id for table in tables])
    assert seats.values("user").distinct().count() == seats.count() == 4
    assert all(Match.objects.get(id=played(table).id).rated for table in tables)
    assert rating.rate_finished() == 1
    assert RatedMatch.objects.get().board == "pisti/mirrored/two/people"


@pytest.mark.django_db
def test_every_door_says_so(ada, ben, first):
    """The forms, the API, a challenge and a tournament."""
    at_ada = signed_in(ada)
    for page in ("/new?game=pisti", "/people/ben/challenge", "/tournaments/new"):
        assert "knows all cards of its twin" in at_ada.open(page).text
    body = {"game": "pisti", "mirrored": True, "rated": True}
    refused(
        post(first, "matches", body | {"seats": [{"kind": "me"}, {"kind": "open"}]}),
        "cannot_be_rated",
    )
    refused(post(first, "challenges", body | {"username": "ben"}), "cannot_be_rated")
    cup = taking_part.create_tournament(
        creator=ada,
        terms=NewTournament(name="Cup", game="pazaak", form="swiss", pace="normal", mirrored=True),
    )
    assert not cup.rated
