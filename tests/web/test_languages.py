"""Four languages: by browser, by the switch in the page, by account; letters on cards."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.matches.scenes import played, short
from tests.messages.catalogs import read

TURKISH = {"HTTP_ACCEPT_LANGUAGE": "tr-TR,tr;q=0.9,en;q=0.5"}


def signed_in_client(user):
    browser = Client()
    browser.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return browser


def switch(browser, **choice):
    return browser.post(reverse("set_language"), choice)


def test_the_browser_asks_for_a_language(db):
    answer = Client(**TURKISH).get("/")
    assert '<html lang="tr">' in answer.content.decode()
    assert "Accept-Language" in answer["Vary"]


def test_a_page_leaves_no_language_behind(db):
    Client(**TURKISH).get("/")
    assert '<html lang="en">' in Client().get("/").content.decode()


def test_the_switch_is_remembered_and_leads_back(db):
    browser = Client(**TURKISH)
    assert switch(browser, language="cs", next="/lobby")["Location"] == "/lobby"
    assert '<html lang="cs">' in browser.get("/").content.decode()


@pytest.mark.parametrize("to", ["https://elsewhere.example/", "//elsewhere.example", ""])
def test_the_switch_leads_nowhere_else(db, to):
    assert switch(Client(), language="ru", next=to)["Location"] == "/"


def test_the_account_keeps_the_choice_for_the_next_browser(ada):
    first = signed_in_client(ada)
    switch(first, language="ru", letters="local")
    ada.refresh_from_db()
    assert (ada.language, ada.local_letters) == ("ru", True)
    ada.set_password("rather long and odd")
    ada.save()
    second = Client()
    second.post(
        reverse("account_login"), {"login": ada.username, "password": "rather long and odd"}
    )
    assert '<html lang="ru">' in second.get("/").content.decode()
    assert second.cookies["card_letters"].value == "local"


def test_an_unknown_language_changes_nothing(ada):
    browser = signed_in_client(ada)
    switch(browser, language="xx")
    ada.refresh_from_db()
    assert ada.language == "en"


def test_the_admin_is_english(db):
    answer = Client(**TURKISH).get("/admin/", follow=True)
    assert '<html lang="en' in answer.content.decode() or answer.redirect_chain


def test_the_api_follows_the_header_and_keeps_its_codes(db):
    plain, turkish = Client().get("/api/v1/nowhere"), Client(**TURKISH).get("/api/v1/nowhere")
    assert turkish.json()["detail"] == "Burada /api/v1/nowhere yok."
    assert turkish["Content-Language"] == "tr"
    same = ("type", "code", "status", "title")
    assert [turkish.json()[name] for name in same] == [plain.json()[name] for name in same]
    assert plain.json()["detail"] == "There is no /api/v1/nowhere here."


JACK, RUSSIAN_JACK = '#r-J"', '#r-Be"'  # in the sprite


def test_court_cards_carry_the_letters_of_the_reader_unless_international_ones_are_chosen(db):
    browser = Client(HTTP_ACCEPT_LANGUAGE="ru")
    assert RUSSIAN_JACK in browser.get("/").content.decode()
    switch(browser, letters="international")
    assert RUSSIAN_JACK not in (page := browser.get("/").content.decode())
    assert JACK in page
    switch(browser, letters="local")
    assert RUSSIAN_JACK in browser.get("/").content.decode()
    assert RUSSIAN_JACK not in Client().get("/").content.decode()


@pytest.mark.parametrize(
    ("language", "letters", "own"),
    [("tr", "", "VKPA"), ("tr", "international", "JQKA"), ("ru", "", "ВДКТ")],
)
def test_the_text_names_a_card_as_the_card_does(ada, language, letters, own):
    """In what happened, in the best moments and on the page of the seal."""
    match = played(short(ada, "pisti", "me, bot random"))
    browser = signed_in_client(ada)
    switch(browser, language=language, **({"letters": letters} if letters else {}))
    others = set("JQKAVPВДКТ") - set(own)
    pages = [
        f"/matches/{match.id}?ply={match.version}",
        f"/matches/{match.id}",
        f"/matches/{match.id}/deals",
    ]
    named = {name for page in pages for name in named_on(browser.get(page).content.decode())}
    assert named & set(own)
    assert not named & others


def named_on(page):
    """The letters of court cards in what a person reads."""
    return re.findall(r"([JQKAVPВДКТ])[♣♦♥♠]", re.sub(r"<[^>]*>", " ", page))


def test_the_best_moments_are_kept_by_letters_too(ada):
    match = played(short(ada, "pisti", "me, bot random"))
    first, second = signed_in_client(ada), signed_in_client(ada)
    switch(first, language="tr", letters="local")
    switch(second, language="tr", letters="international")
    local, international = (
        named_on(browser.get(f"/matches/{match.id}").content.decode())
        for browser in (first, second)
    )
    assert not set(local) & set("JQ")
    assert not set(international) & set("VP")


def test_a_new_account_reads_the_letters_of_its_language(db):
    assert User(username="new").local_letters


def test_the_api_names_cards_by_the_letters_of_their_codes(ada):
    match = short(ada, "pisti", "me, bot random")
    answer = signed_in_client(ada)
    switch(answer, language="tr", letters="local")
    told = answer.get(f"/api/v1/matches/{match.id}", HTTP_ACCEPT_LANGUAGE="tr").content.decode()
    assert not re.search(r"[VP][♣♦♥♠]", told)


def test_a_replay_and_a_result_are_in_the_readers_language(ada):
    match = played(short(ada, "pisti", "me, bot random"))
    browser = signed_in_client(ada)
    switch(browser, language="tr")
    table = browser.get(f"/matches/{match.id}").content.decode()
    assert not re.search(r"You (won|lost)", table)
    past = browser.get(f"/matches/{match.id}?ply=3").content.decode()
    assert "oynuyor" in past
    assert " plays " not in past


def test_a_turkish_hint_says_what_a_card_does(db):
    """In the present tense: "yeri alır" and not "yeri alırdı", it would have taken the pile."""
    hints = [
        message
        for message in read("tr")
        if "would" in str(message.id) and "{card}" in str(message.id)
    ]
    assert len(hints) == 4
    for hint in hints:
        text = hint.string if isinstance(hint.string, str) else hint.string[0]
        assert not re.search(r"[ae]?[rl]d[ıiuü]\b", text), text


@pytest.mark.parametrize("language", ["tr", "ru", "cs"])
def test_playing_again_and_looking_again_are_two_things(language):
    """No word of one button stands on the other, whatever its ending."""
    again, replay = (str(read(language).get(word).string) for word in ("Again", "Replay"))
    assert not {word[:5].casefold() for word in again.split()} & {
        word[:5].casefold() for word in replay.split()
    }
    assert len(again.split()) > 1  # a verb beside "again": in Turkish both can mean "repeat"
    assert len(replay.split()) > 1
