"""The same Idempotency-Key again gets the same answer, of every POST that makes something."""

from datetime import timedelta
from threading import Thread
from uuid import UUID

import pytest
from django.utils import timezone

from accounts import answers, services
from accounts.answers import forget_answers
from accounts.models import AnsweredRequest
from accounts.notifications.endpoints import push_key
from decks.models import Deck
from games.matches.models import Match
from tests.api.calls import get, move, new_match, played, post, read, refused, wishes
from tests.api.test_examples import document, operations
from tests.daily import days

CARDS = [*(f"P{n}" for n in range(1, 6)), *(f"M{n}" for n in range(1, 6))]
DECK = {"name": "Plain", "cards": CARDS}
FOR_STRANGERS = {"create_guest", "register", "create_key"}  # there is no account to keep it for


def makers():
    """The POSTs of the document that make something, and whether they take a key."""
    for _path, method, operation in operations(document()):
        if method == "post" and {"201", "202"} & set(operation["responses"]):
            headers = {
                one["name"] for one in operation.get("parameters", ()) if one["in"] == "header"
            }
            yield operation["operationId"], "Idempotency-Key" in headers


def bodies(ada, ben, user, settings):
    """Path and body of each; Ada is at some tables, and may play, push and hook."""
    days.begun(settings, user)
    settings.VAPID_PRIVATE_KEY = "0" * 42 + "E"
    running = played(ada, new_match(ada), until=5)
    over = new_match(ada)
    post(ada, f"matches/{over['id']}/resign", {"seat": 1})
    shared = new_match(ada, "me, open")
    post(ben, f"matches/{shared['id']}/join")
    here, there, table = (f"matches/{one['id']}" for one in (running, over, shared))
    phrase = get(ada, f"{table}/phrases").json()["offered"][0]["phrase"]
    deck = post(ada, "decks", DECK | {"name": "Ill"}).json()
    browser = {"endpoint": "https://push.example.org/ada", "p256dh": push_key(), "auth": "A" * 22}
    hook = {"url": "https://example.org/", "kinds": ["friend"]}
    hook = post(ada, "accounts/me/webhooks", hook).json()["webhook"]["id"]
    program = {"name": "Bot", "redirect_uris": ["https://example.org/"], "kind": "confidential"}
    client = post(ada, "accounts/me/programs", program).json()["program"]["client_id"]
    return {
        "register_program": ("accounts/me/programs", program),
        "rotate_program_secret": (f"accounts/me/programs/{client}/secret", {}),
        "ping_webhook": (f"accounts/me/webhooks/{hook}/ping", {}),
        "create_match": ("matches", {"game": "pisti", "seats": wishes("me, local Twin")}),
        "move": (f"{here}/moves", {"move": running["legal_moves"][0]["move"], "version": 5}),
        "load": (f"{here}/load", {"version": 2, "cards": "same"}),
        "rematch": (f"{there}/rematch", {}),
        "analyse": (f"{there}/analysis", {}),
        "say_phrase": (f"{table}/phrases", {"phrase": phrase}),
        "play_daily": ("daily/pisti", {}),
        "create_seek": ("seeks", {"game": "shithead"}),
        "create_challenge": ("challenges", {"username": "ben", "game": "pisti"}),
        "create_tournament": ("tournaments", {"name": "Evening", "game": "pisti"}),
        "create_simulation": ("simulations", {"game": "pyanitsa", "games": 2}),
        "create_export": ("exports", {}),
        "create_deck": ("decks", DECK),
        "import_deck": ("decks/import", {"text": "\n".join(CARDS)}),
        "examine_deck": (f"decks/{deck['id']}/doctor", {}),
        "create_webhook": (
            "accounts/me/webhooks",
            {"url": "https://example.org/x", "kinds": ["friend"]},
        ),
        "add_browser": ("accounts/me/push", browser),
        "announce_holiday": (
            "accounts/me/holidays",
            {
                "first_day": f"{timezone.now() + timedelta(days=10):%Y-%m-%d}",
                "last_day": f"{timezone.now() + timedelta(days=11):%Y-%m-%d}",
            },
        ),
        "become_bot": ("accounts/me/bot", {"owner": "ben"}),
    }


def test_every_maker_takes_a_key():
    takes = dict(makers())
    assert {name for name, key in takes.items() if not key} == FOR_STRANGERS


def test_the_same_key_again_gets_the_same_answer(first, second, stranger, ada, settings):
    calls = bodies(first, second, ada, settings)
    assert set(calls) == {name for name, key in makers() if key}
    for name, (path, body) in calls.items():
        who = stranger if name == "become_bot" else first  # who has played no rated match
        answer = post(who, path, body, Idempotency_Key=name)
        assert answer.status_code in (201, 202), (name, answer.content)
        again = post(who, path, body, Idempotency_Key=name)
        told = [(one.status_code, one.headers.get("Location"), one.headers.get("ETag"), one.json())
                for one in (answer, again)]  # fmt: skip
        assert told[0] == told[1], name
        assert who.get(answer["Location"]).status_code == 200, name
        if AnsweredRequest.objects.filter(
            key=name
        ):  # the others keep their keys with what they made
            refused(post(who, path, body | {"more": 1}, Idempotency_Key=name), "key_reused")
            other = "decks" if path != "decks" else "decks/import"
            refused(post(who, other, {}, Idempotency_Key=name), "key_reused")
    assert AnsweredRequest.objects.count() == len(calls) - 4


def test_what_was_refused_leaves_its_key(first):
    refused(post(first, "decks", DECK | {"cards": []}, Idempotency_Key="1"), "bad_deck")
    assert post(first, "decks", DECK, Idempotency_Key="1").status_code == 201


def test_a_key_is_its_callers_own(first, second):
    ids = {post(one, "decks", DECK, Idempotency_Key="1").json()["id"] for one in (first, second)}
    assert len(ids) == 2


def test_without_a_key_nothing_is_kept(first):
    assert new_match(first)["id"] != new_match(first)["id"]
    assert not AnsweredRequest.objects.exists()


def test_the_answer_again_is_that_of_the_first_time(first):
    body = {"game": "pisti", "seats": wishes("me, local Twin")}
    match = post(first, "matches", body, Idempotency_Key="1").json()
    played(first, match, until=3)
    assert post(first, "matches", body, Idempotency_Key="1").json() == match
    assert read(first, match)["version"] == 3
    assert Match.objects.count() == 1


def test_no_secret_can_be_read_in_what_is_kept(first, settings):
    hook = {"url": "https://example.org/x", "kinds": ["friend"]}
    secret = post(first, "accounts/me/webhooks", hook, Idempotency_Key="1").json()["secret"]
    row = AnsweredRequest.objects.get()
    assert secret.encode() not in bytes(row.answer)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another" * 9
    again = post(first, "accounts/me/webhooks", hook, Idempotency_Key="1")
    assert again.json()["secret"] == secret
    settings.SECRET_KEY_FALLBACKS = []
    refused(post(first, "accounts/me/webhooks", hook, Idempotency_Key="1"), "key_reused")


def test_it_is_forgotten(first):
    one = post(first, "decks", DECK, Idempotency_Key="1").json()
    assert forget_answers(timezone.now()) == 1
    two = post(first, "decks", DECK | {"name": "Again"}, Idempotency_Key="1").json()
    assert UUID(one["id"]) != UUID(two["id"])


def test_of_an_account_the_last_ones_are_kept(first, second, monkeypatch):
    monkeypatch.setattr(answers, "ANSWERS_KEPT", 3)
    for n in range(6):
        post(first, "decks", DECK | {"name": f"{n}"}, Idempotency_Key=f"{n}")
    post(second, "decks", DECK, Idempotency_Key="0")
    assert [row.key for row in AnsweredRequest.objects.order_by("pk")] == ["3", "4", "5", "0"]


@pytest.mark.django_db(transaction=True)
def test_two_at_once_make_one(first):
    made = []
    both = [
        Thread(target=lambda: made.append(post(first, "decks", DECK, Idempotency_Key="1")))
        for _ in range(2)
    ]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert [one.status_code for one in made] == [201, 201]
    assert len({one.json()["id"] for one in made}) == Deck.objects.count() == 1


# Too many requests: 429 with the time to wait; nobody else notices.


def waits(answer):
    refused(answer, "throttled")
    assert 0 < int(answer["Retry-After"]) <= 3600


def test_moves_have_an_allowance_of_their_own(first, second, rates):
    match = new_match(first)
    other = new_match(second)
    rates(moves="3/hour")
    for _ in range(3):
        assert move(first, match).status_code == 201
        match = read(first, match)
    waits(move(first, match))
    assert read(first, match)["version"] == 3
    assert move(second, other).status_code == 201


def test_refused_moves_count_too(first, rates):
    match = new_match(first)
    rates(moves="2/hour")
    for _ in range(2):
        refused(move(first, match, "nonsense"), "malformed_move")
    waits(move(first, match))


def test_a_flood_of_new_matches(first, rates):
    rates(user="1/hour")
    body = {"game": "pisti", "seats": [{"kind": "me"}, {"kind": "local"}]}
    assert post(first, "matches", body).status_code == 201
    waits(post(first, "matches", body))


@pytest.fixture
def machine(db, keyed):
    """Programs of two guests on one machine, each with a match."""
    programs = [keyed(services.open_guest()) for _ in range(2)]
    return [(program, new_match(program)["id"]) for program in programs]


def load(program, match, version=0):
    return post(program, f"matches/{match}/load", {"cards": "same", "version": version})


def test_loads_are_counted_by_account_and_for_guests_by_address(first, second, machine, rates):
    rates(loads="2/hour")
    matches = {program: new_match(program)["id"] for program in (first, second)}
    for program, match in matches.items():
        assert [load(program, match).status_code for _ in range(3)] == [201, 201, 429]
        waits(load(program, match))
    (one, match), (other, others) = machine
    assert [load(one, match).status_code for _ in range(2)] == [201, 201]
    waits(load(other, others))
    assert Match.objects.filter(parent__isnull=False).count() == 6
