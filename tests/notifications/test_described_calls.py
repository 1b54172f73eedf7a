"""Bodies of webhook calls are as the OpenAPI document describes them, for every kind of news."""

import json
from datetime import date
from uuid import uuid4

import pytest
from django.db import transaction
from jsonschema_rs import Draft202012Validator

from accounts.audit.log import Actor
from accounts.audit.models import PersonNotice
from accounts.notifications import endpoints
from accounts.notifications.channels import body_of
from accounts.notifications.models import HOOK_NAMES, KINDS, Cause, Choices
from accounts.notifications.outbox import owe
from accounts.social import services
from games import causes
from games.api.document import FACTS
from games.competitions.models import Tournament
from games.leagues.divisions import owe_news
from games.leagues.models import Line, Week
from games.lobby import challenges
from games.lobby.challenges import NewChallenge
from games.matches.time_bank import DAY
from games.operations import refereeing
from tests.api.test_examples import document
from tests.competitions.held import begun, held, players
from tests.matches.scenes import move, opened, pair, resigned

pytestmark = pytest.mark.django_db


def turns(ada, ben):
    move(pair(ada, ben))
    move(pair(ada, ben, turn_seconds=DAY))


def invitation(ada, ben):
    opened(ada, "me, user Ben")


def challenge(ada, ben):
    challenges.send_challenge(account=ada, terms=NewChallenge(game="pisti", username="Ben"))


def result(ada, ben):
    causes.derive()
    resigned(pair(ada, ben), 0)


def friend(ada, ben):
    services.befriend(user=ada, other=ben.pk)


def tournament(ada, ben):
    cup = begun(held(ada), ben, *players(3))
    assert Tournament.objects.get(pk=cup.id).status == "running"


def league(ada, ben):
    week = Week(pk=uuid4(), game="pisti", monday=date(2026, 11, 23))
    owe_news(week, [Line(account=ben, matches=1, move=Line.Move.UP)])


def operator(ada, ben):
    refereeing.send_notice(
        match_id=pair(ada, ben).id, by=Actor(ada.pk, "ada", "A reason."), text="At nine."
    )
    notice = PersonNotice.objects.create(user=ben, text="A word.")
    owe(ben.pk, "operator", f"operator:{notice.pk}", {"notice": str(notice.pk)})


def match(ada, ben):
    table = pair(ada, ben)
    endpoints.create(user=ben, url="https://example.org/", match=table.id)
    causes.derive()
    move(move(table))


def ping(ada, ben):
    hook = endpoints.create(user=ben, url="https://example.org/", kinds=["result"])
    endpoints.ping(account=ben.pk, endpoint_id=hook.pk, url="/accounts/notifications/")


SCENES = {
    "your_turn": turns,
    **{scene.__name__: scene for scene in (invitation, challenge, result, friend, tournament)},
    **{scene.__name__: scene for scene in (league, operator, match, ping)},
}


def test_every_kind_is_described():
    assert set(document()["webhooks"]) == set(FACTS) == set(HOOK_NAMES) == set(SCENES)
    for kind, item in document()["webhooks"].items():
        call = item["post"]
        assert call["operationId"] == f"webhook_{kind}"
        assert {one["name"] for one in call["parameters"]} == {
            f"webhook-{name}" for name in ("id", "timestamp", "signature")
        }


@pytest.mark.parametrize("kind", SCENES)
def test_calls_are_as_the_document_says(ada, ben, kind):
    Choices.objects.create(account=ben, mail=list(KINDS))
    with transaction.atomic():
        SCENES[kind](ada, ben)
    causes.derive()
    rows = Cause.objects.filter(kind=kind, account=ben)
    assert rows
    content = document()["webhooks"][kind]["post"]["requestBody"]["content"]
    whole = content["application/json"]["schema"] | {"components": document()["components"]}
    calls = Draft202012Validator(whole, validate_formats=True)
    facts = document()["components"]["schemas"][FACTS[kind].__name__]
    for cause in rows:
        body = json.loads(body_of(cause, uuid4()))
        faults = list(calls.iter_errors(body))
        assert not faults, (faults[0].message, body)
        assert set(body["data"]) <= set(facts["properties"]), "a fact that nobody described"
