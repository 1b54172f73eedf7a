"""Attacks of a person who wants tokens that nobody gave them."""

import base64
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from allauth.idp.oidc.models import Client as Program
from django.test import Client
from django.utils import timezone

from accounts import services as keys
from accounts.models import Key
from accounts.programs import services
from accounts.programs.models import Connection
from accounts.programs.services import (
    BadRedirect,
    NoSuchProgram,
    TooManyPrograms,
    check_redirect,
    form_target,
    is_allowed,
)
from tests.conftest import client_of
from tests.programs.conftest import BACK, VERIFIER, Flow, bearing, query_of, works

EVIL = [
    "https://program.example/back/",
    "https://program.example/back?x=1",
    "https://program.example/back#x",
    "https://program.example/BACK",
    "https://PROGRAM.example/back",
    "https://program.example:443/back",
    "https://evil.example@program.example/back",
    "https://program.example@evil.example/back",
    "https://program.example.evil.example/back",
    "https://evil.example/https://program.example/back",
    "http://program.example/back",
    "https://program.example/back/../evil",
    "https://program.example\\@evil.example/back",
    "//program.example/back",
    "javascript:alert(1)",
    "",
]


def test_no_other_address_gets_a_code(flow):
    for uri in EVIL:
        for answer in (flow.ask(redirect_uri=uri), flow.allow(redirect_uri=uri)):
            assert (answer.status_code, answer.has_header("Location")) == (400, False), uri
        assert not Connection.objects.exists(), uri


@pytest.mark.parametrize(
    "uri",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "http://program.example/back",
        "https://*.example/back",
        "https://program.example/back#x",
        "https://ada@program.example/",
        "https:///back",
        "https://program.example/\u00e9",
        "ftp://program.example/",
        "https://[::1/back",
        "https://program.example:99999/",
        "custom:/back",
        "/back",
        "x" * 500,
    ],
)
def test_no_such_address_is_registered(uri):
    with pytest.raises(BadRedirect):
        check_redirect(uri)


@pytest.mark.parametrize(
    ("uri", "target"),
    [
        (BACK, "https://program.example"),
        ("http://127.0.0.1:4000/back", "http://127.0.0.1:4000"),
        ("http://[::1]/back", "http:"),
        ("com.example.app:/back", "com.example.app:"),
    ],
)
def test_addresses_of_programs(uri, target):
    assert form_target(check_redirect(uri)) == target


def test_only_the_port_of_the_own_machine_may_differ():
    own = ["http://127.0.0.1/back"]
    assert is_allowed("http://127.0.0.1:51234/back", own)
    for other in ("http://127.0.0.1:51234/", "http://localhost/back", "http://x@127.0.0.1/back"):
        assert not is_allowed(other, own)
    assert not is_allowed("https://program.example:444/back", [BACK])


WEAKER: list[tuple[dict[str, str | None], str]] = [
    ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
    ({"code_challenge_method": "plain"}, "invalid_request"),
    ({"code_challenge_method": None}, "invalid_request"),
    ({"code_challenge": "short"}, "invalid_request"),
    ({"code_challenge": "é" * 43}, "invalid_request"),
    ({"code_challenge": "x" * 500}, "invalid_request"),
    ({"response_type": "token"}, "unsupported_response_type"),
    ({"response_type": "code id_token"}, "unauthorized_client"),
    ({"response_type": None}, "invalid_request"),
    ({"response_mode": "fragment"}, "invalid_request"),
    ({"scope": "read admin"}, "invalid_scope"),
]


@pytest.mark.parametrize("confidential", [False, True])
def test_a_weaker_request_goes_back_with_an_error(flow, on_a_server, confidential):
    """RFC 6749 §4.1.2.1: the program and its address are known."""
    one = on_a_server if confidential else flow
    for otherwise, error in WEAKER:
        for answer in (one.ask(**otherwise), one.allow(**otherwise)):
            assert answer.status_code == 302, otherwise
            assert answer["Location"].startswith(f"{BACK}?"), otherwise
            facts = query_of(answer)
            told = facts["error"], facts["state"], facts["iss"]
            assert told == (error, "xyz", "http://testserver"), otherwise
            assert facts["error_description"], otherwise
            assert "code" not in facts, otherwise
        assert not Connection.objects.exists(), otherwise


def test_a_request_of_nobody_or_to_nowhere_is_refused_here(flow):
    for name in ("client_id", "redirect_uri"):
        for value in ("nobody", "", None):
            for answer in (flow.ask(**{name: value}), flow.allow(**{name: value})):
                assert (answer.status_code, answer.has_header("Location")) == (400, False), name


def test_a_parameter_twice_is_refused(flow):
    twice = [*flow.request().items(), ("redirect_uri", "https://evil.example/")]
    for query in (twice, [*flow.request().items(), ("client_id", "nobody")]):
        assert flow.browser.get(f"/oauth/authorize?{urlencode(query)}").status_code == 400
    query = urlencode([*flow.request().items(), ("state", "other")])
    answer = flow.browser.get(f"/oauth/authorize?{query}")
    assert answer["Location"].startswith(f"{BACK}?")
    assert "state" not in query_of(answer)


@pytest.mark.parametrize("verifier", [None, "", "another-verifier-of-at-least-43-characters-long"])
def test_a_stolen_code_is_worth_nothing_without_the_verifier(flow, on_a_server, verifier):
    for one in (flow, on_a_server):
        answer = one.redeem(one.code(), code_verifier=verifier)
        assert (answer.status_code, answer.json()["error"]) in (
            (400, "invalid_grant"),
            (400, "invalid_request"),
        )
    assert not Key.objects.filter(connection__isnull=False).exists()


def test_a_code_that_is_used_again_ends_what_came_of_it(flow):
    code = flow.code()
    tokens = flow.redeem(code).json()
    assert works(tokens["access_token"])
    assert flow.redeem(code).json()["error"] == "invalid_grant"
    assert not works(tokens["access_token"])
    assert flow.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_code_is_old_after_a_minute(flow, time_machine):
    time_machine.move_to(timezone.now())
    code = flow.code()
    time_machine.shift(timedelta(seconds=61))
    assert flow.redeem(code).json()["error"] == "invalid_grant"


def test_a_code_belongs_to_its_program_and_its_address(flow, on_a_server):
    code = flow.code()
    assert on_a_server.redeem(code).json()["error"] == "invalid_grant"
    assert flow.redeem(code, redirect_uri="https://evil.example/").status_code == 400
    assert flow.redeem(code).status_code == 200


def test_each_no_says_what_is_wrong(flow, time_machine):
    """In ASCII and without quotes, as RFC 6749 §5.2 has it."""
    time_machine.move_to(timezone.now())
    used, old = flow.code(), flow.code()
    flow.redeem(used)
    other = "another-verifier-of-at-least-43-characters-long"
    answers = [
        flow.redeem("nobodys"),
        flow.redeem(used),
        flow.redeem(flow.code(), code_verifier=other),
        flow.redeem(flow.code(), redirect_uri="https://evil.example/"),
    ]
    tokens = flow.tokens()
    time_machine.shift(timedelta(seconds=61))
    answers.append(flow.redeem(old))
    answers.append(flow.refresh("nobodys.token"))
    newer = flow.refresh(tokens["refresh_token"]).json()
    time_machine.shift(timedelta(seconds=61))
    answers.append(flow.refresh(tokens["refresh_token"]))
    assert newer["access_token"]
    tokens = flow.tokens()
    time_machine.shift(timedelta(days=91))
    answers.append(flow.refresh(tokens["refresh_token"]))
    told = [answer.json()["error_description"] for answer in answers]
    assert {answer.json()["error"] for answer in answers} == {"invalid_grant"}
    assert len(set(told)) == len(told)
    for words, text in zip(
        ("not known", "used", "verifier", "redirect_uri", "expired", "not known", "used before"),
        told[:7],
        strict=True,
    ):
        assert words in text
        assert text.isascii()
        assert not {'"', "\\"} & set(text)


def test_a_refresh_token_that_is_used_again_ends_the_family(flow):
    first = flow.tokens()
    second = flow.refresh(first["refresh_token"]).json()
    third = flow.refresh(second["refresh_token"]).json()
    assert works(third["access_token"])
    assert flow.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    for tokens in (first, second, third):
        assert not works(tokens["access_token"])
    assert flow.refresh(third["refresh_token"]).json()["error"] == "invalid_grant"
    assert not Connection.objects.exists()


@pytest.mark.parametrize("scope", [None, "read"])
def test_a_refresh_whose_answer_was_lost_is_answered_again(flow, time_machine, scope):
    time_machine.move_to(timezone.now(), tick=False)
    first = flow.tokens()
    lost = flow.refresh(first["refresh_token"], scope=scope).json()
    time_machine.shift(timedelta(seconds=59))
    again = flow.refresh(first["refresh_token"], scope=scope).json()
    assert again == {**lost, "expires_in": lost["expires_in"] - 59}
    assert Key.objects.filter(connection__isnull=False).count() == 2
    assert works(again["access_token"])
    assert flow.refresh(again["refresh_token"]).status_code == 200


def test_a_repeat_never_allows_more_than_the_lost_answer(flow):
    first = flow.tokens()
    flow.refresh(first["refresh_token"], scope="read")
    again = flow.refresh(first["refresh_token"], scope="read play").json()
    assert again["scope"] == "read"
    assert bearing(again["access_token"]).post("/api/v1/matches", {}).status_code == 403


def test_a_minute_later_or_after_its_successor_a_repeat_ends_the_family(flow, time_machine):
    time_machine.move_to(timezone.now(), tick=False)
    late, used, ended = flow.tokens(), flow.tokens(), flow.tokens()
    newer = [flow.refresh(one["refresh_token"]).json() for one in (late, used, ended)]
    newer.append(flow.refresh(newer[1]["refresh_token"]).json())
    flow.revoke(newer[2]["access_token"])  # whoever ends it has read the answer
    for one in (used, ended):
        assert flow.refresh(one["refresh_token"]).json()["error"] == "invalid_grant"
    time_machine.shift(timedelta(seconds=60))
    assert flow.refresh(late["refresh_token"]).json()["error"] == "invalid_grant"
    assert not any(works(tokens["access_token"]) for tokens in newer)
    assert not Connection.objects.exists()


def test_a_lost_answer_is_that_of_the_same_program_alone(flow, on_a_server):
    first = flow.tokens()
    newer = flow.refresh(first["refresh_token"]).json()
    assert on_a_server.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    assert works(newer["access_token"])


def test_another_family_of_the_same_program_goes_on(flow):
    phone, computer = flow.tokens(), flow.tokens()
    newer = flow.refresh(phone["refresh_token"]).json()
    flow.refresh(newer["refresh_token"])
    flow.refresh(phone["refresh_token"])
    assert not works(newer["access_token"])
    assert works(computer["access_token"])


def test_a_guess_ends_nobodys_family(flow, on_a_server):
    tokens = flow.tokens()
    family = str(Connection.objects.get().pk)
    for guess in (f"{family}.x", "x", ".", "", f"{tokens['access_token']}.x"):
        assert flow.refresh(guess).status_code == 400
    assert on_a_server.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert works(tokens["access_token"])


def test_a_refresh_token_is_no_access_token_and_the_other_way_round(flow):
    tokens = flow.tokens()
    assert not works(tokens["refresh_token"])
    assert flow.refresh(tokens["access_token"]).status_code == 400


def test_a_confidential_program_proves_itself(on_a_server):
    code = on_a_server.code()
    for secret in (None, "", "wrong"):
        answer = on_a_server.redeem(code, client_secret=secret)
        assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")
        assert answer["WWW-Authenticate"].startswith("Basic ")
    assert on_a_server.redeem(code).status_code == 200


def test_basic_is_read_form_encoded_and_plain(on_a_server):
    """RFC 6749 §2.3.1: openid-client and oauth4webapi encode, others do not."""
    known = on_a_server.client_id, on_a_server.program.secret

    def encoded(text: str) -> str:
        return "".join(f"%{ord(one):02X}" if one in "-_.~" else one for one in text)

    def basic(*parts: str):
        pair = base64.b64encode(":".join(parts).encode()).decode()
        body = {
            "grant_type": "authorization_code",
            "code": on_a_server.code(),
            "redirect_uri": BACK,
            "code_verifier": VERIFIER,
        }
        return Client().post("/oauth/token", body, headers={"authorization": f"Basic {pair}"})

    on_a_server.program.client.set_secret("a_secret-of~all.kinds")
    on_a_server.program.client.save()
    known = known[0], "a_secret-of~all.kinds"
    assert basic(*known).status_code == 200
    assert basic(*map(encoded, known)).status_code == 200
    others = ("wrong", "%", "%41%ff", f"{known[1]}%", f"+{known[1]}", "")
    for name, wrong in (*((known[0], one) for one in others), ("%00", "x"), ("\0", "\0")):
        answer = basic(name, wrong)
        assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client"), wrong
        assert answer["WWW-Authenticate"].startswith("Basic "), wrong


@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke"])
def test_other_methods_are_told_the_right_one(db, path):
    for method in ("get", "head", "put", "delete"):
        answer = getattr(Client(), method)(path)
        assert (answer.status_code, answer["Allow"]) == (405, "POST")


def test_a_program_ends_its_own_tokens_only(flow, on_a_server):
    tokens = flow.tokens()
    for token in (tokens["access_token"], tokens["refresh_token"]):
        assert on_a_server.revoke(token).status_code == 200
        assert works(tokens["access_token"])
    assert flow.revoke(tokens["access_token"], token_type_hint="refresh_token").status_code == 200
    assert not works(tokens["access_token"])
    newer = flow.refresh(tokens["refresh_token"]).json()
    assert flow.revoke(newer["refresh_token"]).status_code == 200
    assert not works(newer["access_token"])


def test_no_program_ends_a_persons_key(flow, ada):
    secret = keys.issue_key(user=ada).secret
    flow.revoke(secret)
    assert works(secret)


def test_tokens_end_with_time(flow, time_machine):
    time_machine.move_to(timezone.now())
    tokens = flow.tokens()
    time_machine.shift(timedelta(hours=1, seconds=1))
    assert not works(tokens["access_token"])
    newer = flow.refresh(tokens["refresh_token"]).json()
    time_machine.shift(timedelta(days=91))
    assert flow.refresh(newer["refresh_token"]).json()["error"] == "invalid_grant"
    assert services.forget_expired(timezone.now()) == 2  # with its token
    assert not Connection.objects.exists()


def test_a_person_without_an_account_of_their_own_allows_nothing(flow, guest):
    flow.browser.force_login(guest)
    for answer in (flow.ask(), flow.allow()):
        assert answer["Location"] == "/accounts/signup/"


def test_consent_cannot_be_forged_or_framed(flow, ada):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ada)
    forged = strict.post("/oauth/authorize", {"answer": "allow"}, query_params=flow.request())
    assert forged.status_code == 403
    page = flow.ask()
    assert page["X-Frame-Options"] == "DENY"
    assert page["Cache-Control"].find("no-store") >= 0


def test_what_was_not_asked_for_is_not_allowed(flow):
    answer = flow.allow(scopes=["read", "account"], scope="read")
    assert answer.status_code == 422
    assert flow.allow(scopes=[]).status_code == 422
    assert not Connection.objects.exists()


def test_a_refusal_goes_back_without_a_code(flow):
    answer = flow.allow(answer="deny")
    assert query_of(answer) == {
        "error": "access_denied",
        "state": "xyz",
        "iss": "http://testserver",
    }
    assert not Connection.objects.exists()


def test_the_name_of_a_program_is_text(ben, browser):
    made = services.register(
        owner=ben, name="<b>Cardroom</b>", redirect_uris=[BACK], confidential=False
    )
    page = Flow(made, browser).ask().content.decode()
    assert "&lt;b&gt;Cardroom" in page
    assert "Ben" in page  # who registered it


def test_a_token_is_held_to_limits_of_keys_not_their_number(flow, settings, ada):
    flow.tokens()
    secret = keys.issue_key(user=ada, scopes=["account"]).secret
    listed = bearing(secret).get("/api/v1/accounts/tokens").json()["results"]
    assert len(listed) == Key.objects.filter(user=ada, connection=None).count()


def test_a_token_neither_lists_nor_revokes_itself_as_a_key(flow, ada):
    tokens = flow.tokens(scope="account", scopes=["account"])
    own = Key.objects.get(connection__isnull=False)
    program = bearing(tokens["access_token"])
    assert str(own.pk) not in program.get("/api/v1/accounts/tokens").content.decode()
    assert program.delete(f"/api/v1/accounts/tokens/{own.pk}").status_code == 404


@pytest.mark.parametrize("body", [{}, {"grant_type": "password"}, {"grant_type": "\x00"}])
@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke"])
def test_odd_requests_get_an_error_of_oauth(flow, path, body):
    answer = Client().post(path, body)
    assert answer.status_code in (400, 401)


@pytest.mark.parametrize("query", ["%ff=%fe", "client_id=%zz", "&&=", "client_id[]=1", "a=\u0130"])
def test_odd_queries_are_refused_in_words(flow, query):
    answer = flow.browser.get(f"/oauth/authorize?{query}")
    assert answer.status_code == 400
    assert flow.browser.post(f"/oauth/authorize?{query}").status_code == 400


def test_an_account_has_a_number_of_programs(ben, monkeypatch):
    monkeypatch.setattr(services, "PROGRAMS_PER_OWNER", 1)
    services.register(owner=ben, name="One", redirect_uris=[BACK], confidential=False)
    with pytest.raises(TooManyPrograms):
        services.register(owner=ben, name="Two", redirect_uris=[BACK], confidential=False)


def test_the_oldest_connection_of_a_program_makes_room(flow, monkeypatch):
    monkeypatch.setattr(services, "CONNECTIONS_PER_PROGRAM", 2)
    first, second, third = flow.tokens(), flow.tokens(), flow.tokens()
    assert not works(first["access_token"])
    assert works(second["access_token"])
    assert works(third["access_token"])


def test_somebody_elses_program_is_not_deleted(flow, ada):
    with pytest.raises(NoSuchProgram):
        services.delete_program(owner=ada, client_id=flow.client_id)


def test_names_are_checked_like_those_of_people(ben):
    client = client_of(ben)
    form = {"name": "\u202eevil", "redirect_uris": BACK, "kind": "public"}
    assert client.post("/accounts/programs/new/", form).status_code == 422
    assert not Program.objects.exists()
