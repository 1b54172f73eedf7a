"""Nothing tells a mirrored deal, or which matches are a pair, before all of a set are over.

Ada plays a set against Ben; Cleo looks on; the fourth is staff with all rights. Every address of
the service that names a match of the set is called by each of them.
"""

import json

import pytest

from accounts.audit.log import Actor
from accounts.models import User
from config.refusals import NotAllowed, Refusal
from games.matches import loading, rolling_back
from games.matches.models import Match, SharedDeal
from games.matches.refusals import DealIsSealed
from games.matches.selectors.access import get_match
from games.mirrored import opening
from games.mirrored.models import Leg, MirroredSet
from games.operations import finding, refereeing
from games.operations.own_data import data_of
from tests.api.calls import get, post, refused
from tests.matches.scenes import played
from tests.mirrored.sets import begin, between, legs, newest, to_its_end
from tests.mirrored.test_duplicates import dan, tables  # noqa: F401 - fixtures
from tests.security import walking
from tests.security.walking import secrets_of

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
