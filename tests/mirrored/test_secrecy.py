"""Nothing tells a mirrored deal, or which matches are a pair, before all of a set are over.

Ada plays a set against Ben; Cleo looks on; the fourth is staff with all rights. Every address of
the service that names a match of the set is called by each of them.
"""

import json
from random import Random

import msgspec
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from accounts.audit.log import Actor
from accounts.models import User
from cardroom.rules import catalog
from cardroom.rules.shuffles import seeded
from config.refusals import NotAllowed, Refusal
from games.competitions import taking_part
from games.competitions.taking_part import NewTournament
from games.matches import loading, rolling_back
from games.matches.models import Match, Seat, SharedDeal
from games.matches.refusals import CannotBeRated, DealIsSealed
from games.matches.selectors.access import get_match
from games.mirrored import opening
from games.mirrored.models import Leg, MirroredSet
from games.mirrored.opening import LEAST_PAIRS, drawn_order
from games.operations import finding, refereeing
from games.operations.own_data import data_of
from games.ratings import rating
from games.ratings.models import RatedMatch
from tests.api.calls import get, post, refused
from tests.matches.scenes import played
from tests.mirrored.sets import SHORT, begin, between, legs, newest, to_its_end
from tests.mirrored.test_duplicates import dan, tables  # noqa: F401 - fixtures
from tests.rules.playing import FUZZING, setups
from tests.security import sealed_machine, walking
from tests.security.sealed_machine import SealedMatches, which
from tests.security.walking import secrets_of
from tests.web.browsing import signed_in

pytestmark = pytest.mark.django_db


def all_secrets(match):
    """Also those by which two matches of a set would be known for a pair."""
    deal = SharedDeal.objects.get(id=match.deal_id)
    shared = [str(deal.id), deal.id.hex, bytes(deal.seed).hex(), deal.commitment]
    return [*secrets_of(match), match.seed[32:].hex(), *shared]


def faults(match, readers):
    """Of every address that names a match or its set, where Cleo is a stranger."""
    rows = {"mirrored/mirroredset": legs(match)[0].of_id}
    paths = walking.addresses(match, rows, {}, "mirrored")
    return list(walking.faults(match, all_secrets(match), paths, readers, ["cleo"]))


@pytest.fixture
def readers(ada, ben, cleo):
    return walking.readers(ada=ada, ben=ben, cleo=cleo)


def test_no_address_tells_a_match_that_is_over_while_its_set_runs(ada, ben, readers):
    first = between(ada, ben, "pisti")
    to_its_end(first, 2)
    assert faults(get_match(first.id), readers) == []


def test_no_address_tells_the_other_table_of_a_duplicate(tables, readers):  # noqa: F811
    played(tables[0])
    assert faults(get_match(tables[0].id), readers) == []


def test_all_is_told_when_all_are_over(ada, ben, first):
    one = between(ada, ben)
    last = to_its_end(one, 6)
    opening.go_on_with_all()
    for leg in legs(one):
        assert (
            get(first, f"matches/{leg.match_id}").json()["seed"]
            == get_match(leg.match_id).seed.hex()
        )
        assert get(first, f"matches/{leg.match_id}/record").status_code == 200
    answer = post(first, f"matches/{last.id}/load", {"cards": "reshuffled", "version": 0})
    assert answer.status_code == 201
    assert answer.json()["mirrored"] is False


def test_nothing_is_loaded_taken_back_rolled_back_looked_at_or_exported(ada, ben, first):
    match = between(ada, ben, rated=False)
    operator = User.objects.create_superuser("Super")
    by = Actor.of(operator, "A look at it.")
    with pytest.raises(DealIsSealed):
        loading.load(match_id=match.id, user=ada, cards="reshuffled", version=0)
    with pytest.raises(Refusal):
        rolling_back.ask_to_take_back(match_id=match.id, user=ada, version=match.version)
    with pytest.raises(refereeing.CannotReferee):
        refereeing.roll_back(match_id=match.id, by=by, round=1)
    for cards in (True, False):
        with pytest.raises(NotAllowed):
            finding.open_look(
                match_id=match.id, user=operator, reason="A look.", session={}, cards=cards
            )
    played(match)
    with pytest.raises(DealIsSealed):
        refereeing.export_record(match_id=match.id, by=by)
    refused(post(first, f"matches/{match.id}/analysis"), "parent_still_running")


def test_an_operator_who_calls_a_match_off_ends_its_set(ada, ben):
    match = between(ada, ben)
    by = Actor.of(User.objects.create_superuser("Super"), "It stands still.")
    refereeing.abort(match_id=match.id, by=by)
    opening.go_on_with_all()
    assert MirroredSet.objects.get().over_at is not None


def test_what_follows_is_told_to_the_players_alone(ada, ben, first, second, cleo, keyed):
    one = between(ada, ben)
    to_its_end(one, 2)
    told = get(first, f"matches/{one.id}/mirrored").json()
    assert told == {
        "form": "set",
        "number": 1,
        "matches": 6,
        "following": str(newest(one).id),
        "over_at": None,
        "result": None,
    }
    assert get(second, f"matches/{one.id}/mirrored").json() == told
    assert get(keyed(cleo), f"matches/{one.id}/mirrored").status_code == 404
    plain = post(first, "matches", {"game": "pisti", "seats": [{"kind": "me"}, {"kind": "open"}]})
    refused(get(first, f"matches/{plain.json()['id']}/mirrored"), "not_mirrored")


def test_the_data_of_a_person_hold_no_secret(ada, ben):
    match = to_its_end(between(ada, ben), 2)
    text = json.dumps(data_of(ada), default=str)
    assert str(match.id) in text
    assert not [secret for secret in all_secrets(match) if secret in text]


def test_a_row_says_nothing_of_its_pair(ada):
    begin(ada)
    shown = " ".join(
        map(repr, [*Leg.objects.all(), *MirroredSet.objects.all(), *Match.objects.all()])
    )
    assert not [str(deal.id) for deal in SharedDeal.objects.all() if str(deal.id) in shown]


# Whether twins are known: by what a player may see, a script tries to name them.
#
# It looks at the cards that lie open to everybody when a match begins, and says which earlier
# match of the set was dealt alike. Where it is right, whoever remembers that match knows the
# rival's hand and the stock. So no set is rated; nobody at a duplicate sees two matches of a
# pair.

SETS = 40
TWO = [game for game in catalog.GAMES if not game.is_luck]


def open_cards(game, seed):
    """The public cards of a first deal, whichever side a player has."""
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


# The secrets of mirrored sets against everything that people, operators and the beat do.
#
# After each step somebody reads every match. While a set runs nobody reads a seed or a whole deck
# of any of its matches, nobody but its seats reads a match that has begun, none is loaded, and
# nobody is told which are a pair; afterwards all is told. ``make soak`` runs many and longer
# ones.

EXAMPLES, STEPS = (FUZZING // 4, 40) if FUZZING else (2, 8)
players = st.sampled_from(["ada", "ben"])
games = st.sampled_from(sorted(SHORT))
RIVALS = {"pisti": "greedy", "pazaak": "gambler", "shithead": "lowest"}


class Sets(SealedMatches):
    ACTS = ("join", "resign", "abort", "rematch", "leave")
    PARTS = (*SealedMatches.PARTS, "/mirrored")

    @initialize(game=games)
    def begin(self, game):
        self.open_set("ada", game, against="bot")

    @rule(name=players, game=games, against=st.sampled_from(["bot", "open", "teams"]))
    def open_set(self, name, game, against):
        bot = {"kind": "bot", "bot": RIVALS[game]}
        other = {"ada": "ben", "ben": "ada"}[name]
        partner = {"kind": "user", "username": other}
        seats = {"bot": [bot], "open": [{"kind": "open"}], "teams": [bot, partner, bot]}[against]
        body = {"game": game, "options": SHORT[game], "mirrored": True}
        answer = post(self.programs[name], "matches", body | {"seats": [{"kind": "me"}, *seats]})
        assert answer.status_code in (201, 422, 429)

    @rule(at=which)
    def play_out(self, at):
        if match := self.match(at):
            played(match)

    @rule()
    def beat(self):
        opening.go_on_with_all()

    def ids(self):
        begun = Leg.objects.exclude(match=None)
        return begun.order_by("id").values_list("match", flat=True)

    def is_sealed(self, match):
        return MirroredSet.objects.filter(legs__match=match.id, over_at=None).exists()

    @invariant()
    def nobody_learns_a_sealed_deal(self):
        self.steps += 1
        names = list(self.programs)
        name = names[self.steps % len(names)]
        read = "".join(self.reads(self.programs[name]))
        for match_id in Leg.objects.exclude(match=None).values_list("match", flat=True):
            match = get_match(match_id)
            if not self.is_sealed(match):
                continue
            assert not [secret for secret in all_secrets(match) if secret in read], name
            seated = any(seat.user_id == self.users[name].pk for seat in match.seats)
            answer = get(self.programs[name], f"matches/{match_id}")
            if match.started_at is not None and not seated:
                assert answer.status_code == 404
            if answer.status_code == 200:
                told = get(self.programs[name], f"matches/{match_id}/mirrored").json()
                assert told["result"] is None

    @invariant()
    def a_set_that_is_over_has_no_match_that_runs_and_at_most_one_of_a_set_runs(self):
        over = Match.objects.filter(
            id__in=Leg.objects.filter(of__over_at__isnull=False).values("match")
        )
        assert not over.filter(status__in=["open", "active"]).exists()
        for of in MirroredSet.objects.filter(form="set"):
            running = of.legs.filter(match__status__in=["open", "active"])
            assert running.count() <= 1


def test_a_set_keeps_its_secrets(ada, ben, cleo, keyed, rates):
    rates(user="1000000/min", moves="1000000/min")
    users = {"ada": ada, "ben": ben, "cleo": cleo}
    sealed_machine.run(Sets, users, keyed, examples=EXAMPLES, steps=STEPS)
