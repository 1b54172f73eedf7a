"""A database of version 0.1 with matches in it migrates, and everything in it goes on.

``fixtures/landed.sql.gz`` was dumped from the schema of decks 0003 and games 0002: five people with
keys and decks, measurements, simulations, and 94 matches of every game: open, running, waiting for
a bot, finished, resigned, timed out, aborted, loaded and loaded again. It is never written again.
"""

import gzip
import io
from collections import Counter
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Key, User
from cardroom.rules import record
from decks import selectors
from decks.models import Measurement
from decks.services import request_measurement
from games.matches import joining
from games.matches.bot_turns import play_bot_turns
from games.matches.models import Match
from tests import migrated
from tests.api.calls import get, move, post, refused
from tests.migrated import use
from tests.recorded import FIXTURES

pytestmark = [
    pytest.mark.django_db,  # what a test changes is rolled back
    pytest.mark.xdist_group("landed database"),
]

KEYS = {"Ada": "0123456789abcdef" * 4, "Ben": "fedcba9876543210" * 4, "a guest": "00112233" * 8}

WITHHELD = 8  # records of matches that are over while others of the same cards run


@pytest.fixture(scope="module", autouse=True)
def landed(django_db_setup, django_db_blocker):
    """Django's connection leads to the restored and migrated database, which is kept."""
    own, name = connection.settings_dict["NAME"], migrated.landed()
    with django_db_blocker.unblock():
        try:
            with migrated.making(name) as new:
                if new is not None:
                    restore_and_migrate(new)
                    use(own)  # nothing is renamed while somebody is connected to it
            use(name)
            yield
        finally:
            use(own)
            if settings.NAMED_SERVERS:
                migrated.drop_one(name)


@pytest.fixture(autouse=True)
def keys_that_hold(db: None) -> None:
    """Those of the dump expire a year after it was made."""
    Key.objects.exclude(expires_at=None).update(expires_at=timezone.now() + timedelta(days=1))


def restore_and_migrate(name: str) -> None:
    use(name)
    _execute(gzip.decompress((FIXTURES / "landed.sql.gz").read_bytes()).decode())
    use(name)  # the dump has cleared the search path of its connection
    with migrated.uncollected():
        call_command("migrate", verbosity=0)


def _execute(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


def program(who: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {KEYS[who]}")
    return client


def matches(**which: object) -> list[str]:
    return [str(match.id) for match in Match.objects.filter(**which).order_by("id")]


def test_nothing_is_missing():
    call_command("migrate", "--check", verbosity=0)
    found = Counter(Match.objects.values_list("game", "status"))
    assert {game for game, _ in found} == {"pisti", "pazaak", "shithead", "pyanitsa"}
    assert found.total() == 94
    told = {status: sum(found[one] for one in found if one[1] == status) for _, status in found}
    assert told == {"open": 16, "active": 33, "finished": 33, "aborted": 12}
    assert len(get(program("Ada"), "decks").json()["results"]) == 2
    assert len(get(program("Ada"), "simulations").json()["results"]) == 2


def faults(ids: list[str]) -> str:
    """The output of ``verify_matches`` for matches."""
    said = io.StringIO()
    call_command("verify_matches", *ids, stdout=said)
    return said.getvalue()


def test_every_match_follows_from_its_moves():
    assert faults(matches()) == "94 matches checked, 0 with faults.\n"


def test_every_match_can_be_read():
    for match in matches():
        readers = (program(who) for who in KEYS)
        reader = next(one for one in readers if get(one, f"matches/{match}").status_code == 200)
        for call in ("events", "saves"):
            assert get(reader, f"matches/{match}/{call}").status_code == 200


def records_of(match: str) -> list[bytes]:
    """The record as those read it who may; nobody does while a match of its cards runs."""
    answers = [get(program(who), f"matches/{match}/record") for who in KEYS]
    assert {answer.status_code for answer in answers} <= {200, 404, 409}
    for answer in answers:
        if answer.status_code == 409:
            refused(answer, "parent_still_running")
    return [answer.content for answer in answers if answer.status_code == 200]


def test_records_of_what_is_over_verify():
    over = matches(status__in=["finished", "aborted"])
    assert len(over) == 45
    first = {match: records_of(match) for match in over}
    assert sum(not texts for texts in first.values()) == WITHHELD
    for row in Match.objects.filter(status__in=["open", "active"]):
        joining.abort(row, list(row.seats.order_by("index")))
    for match in over:
        answers = (get(program(who), f"matches/{match}/record") for who in KEYS)
        text = next((one.content for one in answers if one.status_code == 200), None)
        assert text is not None, match
        assert record.verify(text) is None, match


def test_what_runs_goes_on():
    moved = []
    for match in Match.objects.filter(status="active"):
        if match.bot_due_at is not None:
            assert play_bot_turns(match_id=match.id, version=match.version)
            moved.append("bot")
        for who in KEYS:
            seen = get(program(who), f"matches/{match.id}").json()
            if seen.get("legal_moves"):
                answer = move(program(who), seen)
                if match.deadline_at is not None:  # the dump is older than any of its turns
                    refused(answer, "time_is_up")
                else:
                    assert answer.status_code == 201
                moved.append(who)
                break
    assert moved.count("bot") == 7
    assert len(moved) > 30
    assert faults(matches()).endswith(" 0 with faults.\n")


def test_an_invitation_can_still_be_taken():
    ben = program("Ben")
    found = get(ben, "matches?joinable=true&limit=100").json()["results"]
    invited = [one for one in found if any(seat["invited"] for seat in one["seats"])]
    assert {one["game"] for one in invited} == {"pisti", "pazaak", "shithead", "pyanitsa"}
    for match in invited:
        assert post(ben, f"matches/{match['id']}/join").status_code == 200


def test_decks_that_were_measured_are_measured_again():
    old = Measurement.objects.get(code="0004-6EDA")
    assert selectors.measurement(old.code) is None
    again = request_measurement(
        cards=selectors.decode_deck(old.code), requester=User.objects.first()
    )
    assert (again.pk, again.simulation.played) == (old.pk, 0)


def test_the_previous_release_still_writes_and_reads_measurements():
    request_measurement(cards=selectors.decode_deck("0004-6EDA"), requester=User.objects.first())
    _execute(
        "INSERT INTO decks_measurement (code, against, rules_version, wanted, played, won)"
        " VALUES ('0000-0000', '2RRG-EHJA', 1, 2000, 0, 0)"
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM decks_measurement WHERE played <= wanted")
        assert cursor.fetchone() == (3,)


def test_old_passwords_still_sign_in():
    body = {"username": "ben", "password": "a long and quiet evening"}
    assert post(APIClient(), "accounts/token", body).status_code == 201
