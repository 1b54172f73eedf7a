"""A name of one's own, who may sign up, what is offered (issue 59, points 3 and 4)."""

import re
from base64 import b64decode
from datetime import timedelta
from urllib.parse import unquote

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.messages import get_messages
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.template.loader import get_template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.audit.models import Entry
from accounts.joining import invitation_by, invitation_to
from accounts.models import SignUpLink, User
from accounts.notifications.channels import question
from cardroom.rules import catalog
from config import club, pictures
from config.models import SettingChange
from config.refusals import NotAllowed, Refusal
from config.settings.club import contrast
from decks.models import Deck
from games.bot_accounts.services import Manners, ask_for_bot
from games.calendars.calendar import make_address
from games.competitions.boards import house
from games.matches.seats import bot_slugs, preset_slugs
from games.phrases import speaking
from games.simulations import work
from games.web import lobby, picture, public_tables
from games.web.picture_parts import Lettering
from tests.admin.test_acts import staff
from tests.admin.test_club import SETTINGS, at
from tests.matches.scenes import opened, played, short

pytestmark = pytest.mark.django_db

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
NAME = "Kahvehane <b>"
SQUARE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" onload="alert(1)">'
    '<script>alert(1)</script><rect width="10" height="10" fill="#c00" onclick="x()"/>'
    '<image href="http://elsewhere.example/x.png" width="9" height="9"/>'
    "<foreignObject><p>words</p></foreignObject></svg>"
)
PAGES = (
    *("/", "/lobby", "/new", "/app", "/daily", "/exercises", "/tournaments", "/tournaments/new"),
    *("/leaderboards", "/leagues", "/history", "/decks", "/bots", "/people", "/simulations"),
    *("/party", "/games/pisti/rules", "/learn/pisti", "/nowhere", "/about/imprint"),
    *("/accounts/", "/accounts/login/", "/accounts/signup/", "/accounts/notifications/"),
    *("/accounts/hours/", "/accounts/programs/", "/accounts/data/", "/accounts/calendar/"),
    *("/accounts/password/reset/", "/accounts/2fa/", "/api/v1/docs", "/admin/"),
    "/api/v1/docs/move",
    *("/manifest.webmanifest", "/service-worker.js", "/robots.txt", "/api/v1/"),
)


@pytest.fixture
def browser(ada):
    one = Client()
    one.force_login(ada, backend=BACKEND)
    return one


# --- The name


def seen(answer) -> str:
    """The text of a page, without a client's own code on the page for programs."""
    text = b"".join(answer).decode() if answer.streaming else answer.content.decode()
    return re.sub(r"<pre.*?</pre>", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("who", ["visitor", "person", "staff"])
def test_the_service_is_named_in_one_line_only(put, ada, who):
    """4: in no page, manifest or script of the place, and nowhere once the line is off."""
    put("club.name", NAME)
    put("club.imprint", "Who runs it.")
    match = played(short(ada, "pisti", visibility="public"))
    deck = Deck.objects.create(owner=ada, name="Plus", cards=["P1"] * 10)
    reader = Client()
    if who == "person":
        reader.force_login(ada, backend=BACKEND)
    if who == "staff":
        reader = staff("administrator")
    paths = [*PAGES, f"/matches/{match.id}", f"/matches/{match.id}/feed.atom", "/people/Ada"]
    paths.append(f"/decks/{deck.id}/doctor")
    named = 0
    for path in paths:
        text = seen(reader.get(path, follow=True))
        assert not re.findall(r"Cardroom(?! 1\.)", text), path
        assert text.count("Runs on Cardroom 1.") == text.count("Cardroom"), path
        named += "Kahvehane" in text and "Kahvehane <b>" not in text.replace("\\u003C", "<")
    assert named > len(paths) / 2
    put("club.says_service", "off")
    assert not [path for path in paths if "Cardroom" in seen(reader.get(path, follow=True))]


def test_what_is_drawn_without_a_request_has_the_name(put, monkeypatch, ada):
    put("club.name", "Kahvehane")
    assert "Kahvehane" in get_template("503.html").render()
    assert "Cardroom" not in get_template("503.html").render()
    drawn = []
    real = Lettering.draw
    monkeypatch.setattr(
        Lettering, "draw", lambda self, line: drawn.append(line.words) or real(self, line)
    )
    match = played(short(ada, "pisti", visibility="public"))
    answer = Client().get(f"/matches/{match.id}/share.svg")
    assert answer.status_code == 200
    assert "Kahvehane" in drawn
    assert "Cardroom" not in " ".join(drawn)
    preview = re.search(r'og:image" content="http://testserver([^"]+)', seen(Client().get("/")))[1]
    answer = Client().get(preview)
    assert answer.content.startswith(b"\x89PNG")
    assert drawn[-1] == "Kahvehane"


def test_the_picture_of_a_match_is_another_one_by_another_name(put, ada):
    match = played(short(ada, "pisti", visibility="public"))
    path = f"/matches/{match.id}/share.svg"
    before = Client().get(path)
    put("club.name", "Kahvehane")
    after = Client().get(path, headers={"if-none-match": before["ETag"]})
    assert (after.status_code, after["ETag"] == before["ETag"]) == (200, False)


def test_mails_calendars_and_the_houses_account_have_the_name(put, ada, client):
    put("club.name", "Kahvehane")
    put("club.sender", "cards@kahve.example")
    ada.email = "ada@example.org"
    ada.save()
    EmailAddress.objects.create(user=ada, email=ada.email, primary=True, verified=True)
    client.post("/accounts/password/reset/", {"email": ada.email})
    asked = question(ada)
    for one in (*mail.outbox, asked):
        html = "".join(str(part.content) for part in one.alternatives)
        assert "Cardroom" not in one.subject + one.body + html
        assert "Kahvehane" in one.subject
        assert one.from_email == "Kahvehane <cards@kahve.example>"
    assert mail.outbox[0].body.startswith("Hello from Kahvehane!")
    calendar = client.get(f"/calendar/{make_address(ada.pk)}.ics").content.decode()
    assert "X-WR-CALNAME:Kahvehane" in calendar
    assert "Cardroom" not in re.sub("PRODID:.*", "", calendar)  # the product that wrote it
    assert house().refresh_from_db() is None
    assert User.objects.get(is_house=True).display_name == "Kahvehane"


def test_nobody_goes_by_the_name_of_the_place(put, first):
    put("club.name", "Kahvehane")
    answer = first.patch("/api/v1/accounts/me", {"display_name": "KAHVEHANE"})
    assert answer.status_code == 422


def test_a_page_has_no_more_queries(put, browser, monkeypatch):
    for module in (lobby, public_tables):
        monkeypatch.setattr(module, "KEPT_SECONDS", 3600.0)  # lines are not made again meanwhile

    def queries() -> int:
        browser.get("/lobby")
        with CaptureQueriesContext(
            connection,
        ) as caught:
            browser.get("/lobby")
        return len(caught)

    before = queries()
    for name, given in {
        "name": "Kahvehane", "welcome": "Merhaba", "imprint": "Us", "felt": "#23654d",
        "terms": "Be kind.", "terms_from": "2030-01-01", "contact": "us@kahve.example",
    }.items():  # fmt: skip
        put(f"club.{name}", given)
    assert queries() == before


# --- The logo and the colours


def uploaded(browser, content: bytes, name="logo.svg"):
    file = SimpleUploadedFile(name, content)
    return browser.post(reverse(SETTINGS), {"name": "club.logo", "value": file})


def test_a_logo_is_drawn_and_nothing_else_of_its_file_is_kept(committed):
    admin = staff("administrator")
    with committed():
        uploaded(admin, SQUARE.encode())
    assert b64decode(settings.CLUB["logo"]).startswith(b"\x89PNG")
    page = seen(Client().get("/"))
    address = re.search(r'class="brand"[^>]*><img src="([^"]+)', page)[1]
    answer = Client().get(address)
    assert (answer["Content-Type"], "immutable" in answer["Cache-Control"]) == ("image/png", True)
    assert "no-cache" in Client().get("/club/logo-0123.png")["Cache-Control"]
    icons = Client().get("/manifest.webmanifest").json()["icons"]
    assert {one["sizes"] for one in icons} == {"512x512"}
    assert all(Client().get(one["src"]).content.startswith(b"\x89PNG") for one in icons)
    entry = Entry.objects.get(action="change_setting")
    assert re.fullmatch(r"a picture of \d\.\d kB", entry.details["after"])
    with committed():
        admin.post(reverse(SETTINGS), {"name": "club.logo", "back": "1"})
    assert settings.CLUB["logo"] == ""
    newest, drawn = SettingChange.objects.filter(name="club.logo")
    assert newest.value is None
    with committed():  # back to what it was
        admin.post(reverse(SETTINGS), {"name": "club.logo", "row": drawn.pk})
    assert settings.CLUB["logo"] == drawn.value


def test_what_is_drawn_of_an_svg_loads_and_runs_nothing():
    hostile = SQUARE.replace(
        "<script>",
        '<style>@import url(http://x);</style><g style="fill:url(http://x#a)"/><use href="#a"/>'
        '<a href="javascript:x"><rect width="3" height="3"/></a><script>',
    )
    copy = pictures._copied(hostile.encode())
    assert "<rect" in copy
    assert not re.search(
        r"script|onload|onclick|image|foreign|http://(?!www.w3)|@import|<use|<a", copy
    )


def test_a_png_is_drawn_again(committed):
    png = pictures.png_of(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
        '<rect width="9" height="9"/></svg>'
    )
    with committed():
        uploaded(staff("administrator"), png, "logo.png")
    assert b64decode(settings.CLUB["logo"]) != png


@pytest.mark.parametrize(
    "content",
    [
        b"no picture",
        b"\xff\xfe",
        b"<svg/>",
        b'<html viewBox="0 0 1 1"/>',
        b'<!DOCTYPE s [<!ENTITY a "a">]><svg viewBox="0 0 9 9"><rect width="9" height="9"/></svg>',
        b'<svg viewBox="0 0 9 9">' + b"<g>" * 100 + b"</g>" * 100 + b"</svg>",
        b'<svg viewBox="0 0 9 9">' + b"<g/>" * 4000 + b"</svg>",
        b'<svg viewBox="0 0 9 9"><script/></svg>',
        b'<svg viewBox="0 0 9 9">' + b" " * 50_000 + b'<rect width="9" height="9"/></svg>',
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x09\0\0\0\x09",
    ],
    ids=lambda content: str(content[:30]),
)
def test_a_file_that_is_no_logo_is_refused_with_what_is_allowed(content):
    answer = uploaded(staff("administrator"), content)
    assert "an SVG or a PNG of at most 48 kB" in str(next(iter(get_messages(answer.wsgi_request))))
    assert not SettingChange.objects.exists()


def test_colours_are_readable_and_reach_tables_and_pictures(put):
    for name, faint in (("felt", "#7fbf9f"), ("accent", "#66bb88"), ("felt", "green")):
        with pytest.raises(club.BadSetting, match=r"contrast of 4\.5"):
            club.check(f"club.{name}", faint)
    assert round(contrast("#000000", "#ffffff")) == 21
    put("club.felt", "#5a1f2c")
    put("club.accent", "#5a1f2c")
    address = re.search(r'href="(/club/colours[^"]+)', seen(Client().get("/")))[1]
    sheet = seen(Client().get(address))
    assert "--felt: #5a1f2c" in sheet
    assert "--accent: #5a1f2c" in sheet
    assert {picture.picture_parts.felt_of(game.slug).light for game in catalog.GAMES} == {"#5a1f2c"}


# --- Pages of who runs the place, terms


def test_a_page_that_is_empty_has_no_link(put, client):
    assert "/about/" not in seen(client.get("/"))
    assert client.get("/about/privacy").status_code == 404
    put("club.privacy", "We keep <b>nothing</b>.\nSee https://kahve.example")
    put("club.contact", "us@kahve.example")
    page = seen(client.get("/"))
    assert 'href="/about/privacy"' in page
    assert "/about/imprint" not in page
    assert 'href="mailto:us@kahve.example"' in page
    text = seen(client.get("/about/privacy"))
    assert "&lt;b&gt;nothing" in text
    assert 'href="https://kahve.example"' in text


def test_new_terms_are_asked_once_and_a_table_goes_on(put, ada, browser, first):
    html = {"accept": "text/html"}
    match = opened(ada)
    put("club.terms", "Be kind.")
    assert browser.get("/lobby", headers=html).status_code == 200  # they count from no day yet
    put("club.terms_from", at(minutes=-1))
    asked = browser.get("/lobby", headers=html)
    assert asked.headers["Location"] == "/accounts/terms/?next=%2Flobby"
    assert "Be kind." in seen(browser.get(asked.headers["Location"]))
    for path in ("/about/terms", "/accounts/data/", "/accounts/logout/"):
        assert browser.get(path, headers=html).status_code == 200
    assert browser.get(
        f"/matches/{match.id}/news", headers=html | {"hx-request": "true"}
    ).status_code in (200, 204)
    assert first.get("/api/v1/accounts/me").status_code == 200
    assert Client().get("/lobby", headers=html).status_code == 200
    assert browser.post("/accounts/terms/", {"next": "/lobby"}).headers["Location"] == "/lobby"
    assert browser.get("/lobby", headers=html).status_code == 200
    put("club.terms_from", at(seconds=1))
    assert browser.get("/lobby", headers=html).status_code == 200
    User.objects.update(terms_agreed_at=timezone.now() - timedelta(days=1))
    put("club.terms_from", at(minutes=-2))
    assert browser.get("/lobby", headers=html).status_code == 302


def test_who_signs_up_agrees(put, client):
    put("club.terms", "Be kind.")
    form = {"username": "newcomer", "password1": "a quiet evening", "password2": "a quiet evening"}
    assert client.post("/accounts/signup/", form).status_code == 200
    assert not User.objects.filter(username="newcomer").exists()
    assert client.post("/accounts/signup/", form | {"agrees": "on"}).status_code == 302
    assert User.objects.get(username="newcomer").terms_agreed_at is not None


# --- Registration


FORM = {"username": "newcomer", "password1": "a quiet evening", "password2": "a quiet evening"}


def link(**more) -> SignUpLink:
    return SignUpLink.objects.create(**{"ends_at": timezone.now() + timedelta(days=1)} | more)


def test_staff_make_and_revoke_links_and_viewers_do_not(client):
    add = reverse("admin:accounts_signuplink_add")
    ends = {"ends_at_0": "2100-01-01", "ends_at_1": "00:00"}
    assert staff("viewer").post(add, {"most": "2"} | ends).status_code == 403
    referee = staff("referee")
    for wrong in ("0", "10001", "many"):
        assert referee.post(add, {"most": wrong} | ends).status_code == 200
    assert referee.post(add, {"note": "Chess club", "most": "2"} | ends).status_code == 302
    row = SignUpLink.objects.get()
    page = reverse("admin:accounts_signuplink_change", args=[row.pk])
    assert "signup/?invitation=" in seen(referee.get(page))
    viewer = Client()
    viewer.force_login(User.objects.get(username="viewer"), backend=BACKEND)
    assert "invitation=" not in seen(viewer.get(page))
    referee.post(page, {"most": "2", "is_revoked": "on"} | ends)
    assert not SignUpLink.living().exists()
    assert (
        referee.post(reverse("admin:accounts_signuplink_delete", args=[row.pk])).status_code == 403
    )
    made = Entry.objects.filter(subject_type="signuplink").order_by("id")
    assert [one.action for one in made] == ["add_signuplink", "change_signuplink"]


def test_by_invitation_a_link_signs_up_so_many(put, client, api):
    put("club.registration", "invited")
    page = client.get("/accounts/signup/")
    assert "by invitation" in seen(page)
    assert 'name="password1"' not in seen(page)
    assert "by invitation" in seen(client.post("/accounts/signup/", FORM))
    row = link(most=2)
    invitation = invitation_by(row)
    assert 'name="password1"' in seen(client.get("/accounts/signup/", {"invitation": invitation}))
    assert client.post("/accounts/signup/", FORM | {"invitation": invitation}).status_code == 302
    body = {"username": "second", "password": "a quiet evening", "invitation": invitation}
    assert api.post("/api/v1/accounts/register", body | {"username": "x"}).status_code == 422
    assert api.post("/api/v1/accounts/register", body).status_code == 201
    row.refresh_from_db()
    assert row.used == 2  # a sign-up that was refused used none up
    refused = api.post("/api/v1/accounts/register", body | {"username": "third"})
    assert (refused.status_code, refused.json()["detail"]) == (
        403,
        "This invitation is over. Ask for a new one.",
    )


@pytest.mark.parametrize(
    "over", [{"is_revoked": True}, {"ends_at": timezone.now() - timedelta(days=1)}, {"used": 1}]
)
def test_a_link_that_is_over_signs_up_nobody(put, api, over):
    put("club.registration", "invited")
    body = {"username": "newcomer", "password": "a quiet evening"}
    for invitation in (invitation_by(link(**over)), "made up", invitation_to("a@example.org")):
        answer = api.post("/api/v1/accounts/register", body | {"invitation": invitation})
        assert answer.status_code == 403


def test_a_guest_keeps_the_matches_by_invitation(put, guest, keyed):
    match = opened(guest)
    put("club.registration", "invited")
    body = {"username": "newcomer", "password": "a quiet evening"}
    program = keyed(guest)
    body["invitation"] = invitation_by(link())
    assert program.post("/api/v1/accounts/register", body).status_code == 201
    assert match.creator_id == User.objects.get(username="newcomer").pk


def test_by_a_confirmed_address(put, client, api, settings):
    settings.MAIL_IS_SET_UP = False
    with pytest.raises(club.BadSetting, match="open, invited or closed"):
        club.check("club.registration", "confirmed")
    settings.MAIL_IS_SET_UP = True
    put("club.registration", "confirmed")
    assert "Confirm your address" in seen(client.get("/accounts/signup/"))
    assert client.post("/accounts/signup/address/", {"email": "no address"}).status_code == 422
    answer = client.post("/accounts/signup/address/", {"email": "New@example.org"})
    assert "New@example.org" in seen(answer)
    (sent,) = mail.outbox
    invitation = unquote(re.search(r"invitation=(\S+)", sent.body)[1])
    body = {"username": "second", "password": "a quiet evening"}
    assert api.post("/api/v1/accounts/register", body).status_code == 403
    page = seen(client.get("/accounts/signup/", {"invitation": invitation}))
    assert 'name="password1"' in page
    assert 'name="email"' not in page
    assert client.post("/accounts/signup/", FORM | {"invitation": invitation}).status_code == 302
    row = EmailAddress.objects.get()
    assert (row.user.username, row.email, row.verified) == ("newcomer", "new@example.org", True)
    again = api.post("/api/v1/accounts/register", body | {"invitation": invitation})
    assert (again.status_code, again.json()["code"]) == (409, "address_taken")
    assert not User.objects.filter(username="second").exists()
    other = {"invitation": invitation_to("other@example.org")}
    assert api.post("/api/v1/accounts/register", body | other).status_code == 201
    assert EmailAddress.objects.get(user__username="second").verified


# --- What is offered


def test_a_preset_that_is_off_opens_no_match(put, ada, first, client):
    slug, preset = next(one.split("/") for one in preset_slugs() if one.startswith("pisti/"))
    with pytest.raises(club.BadSetting, match="pisti/"):
        club.check("club.presets_off", "pisti/nothing")
    running = opened(ada, preset=preset)
    put("club.presets_off", f"{slug}/{preset}")
    with pytest.raises(NotAllowed):
        opened(ada, preset=preset)
    refused = first.post("/api/v1/seeks", {"game": slug, "preset": preset})
    assert refused.status_code == 403
    assert f'value="{preset}"' not in seen(client.get(f"/new?game={slug}"))
    played(running)


def test_a_computer_that_is_off_is_met_by_nobody(put, ada, client):
    assert "pisti/greedy" in bot_slugs()
    put("club.bots_off", "pisti/greedy")
    with pytest.raises(NotAllowed):
        opened(ada, "me, bot greedy")
    opened(ada, "me, bot random")
    assert "bot:greedy" not in seen(client.get("/new?game=pisti"))
    for game in catalog.GAMES:
        assert client.post(f"/play/{game.slug}").status_code == 302


def test_phrases_programs_and_simulations(put, ada, ben, first):
    match = opened(ada, "me, user Ben", visibility="public")
    put("club.phrases_off", "hello, coffee")
    offered = {one.slug for one in speaking.offered_at(match.rules)}
    assert not offered & {"hello", "coffee"}
    assert speaking.find(match.rules, "hello")  # one that was said before keeps its words
    with pytest.raises(club.BadSetting, match="there is no hallo"):
        club.check("club.phrases_off", "hallo")
    put("club.programs", "staff")
    with pytest.raises(NotAllowed):
        ask_for_bot(account=ada, owner="Ben", manners=Manners())
    row = work.start(owner=ada, game="pisti", bots=["random", "random"], games=20, seed=1)
    put("club.simulations", "off")
    assert work.run_parts_for_a_while() is False
    row.refresh_from_db()
    assert row.claimed == 0
    put("club.simulations", "on")
    while work.run_parts_for_a_while():
        pass
    row.refresh_from_db()
    assert row.status == "finished"


def test_retention_languages_and_the_time_zone(put, client, ada):
    put("retention.guests", "3")
    assert settings.RETENTION["guests"] == 3
    put("limits.export_hours", "5")
    assert settings.LIMITS["export_hours"] == 5
    for name, wrong in (("languages", ""), ("languages", "de"), ("time_zone", "Kadıköy")):
        with pytest.raises(club.BadSetting):
            club.check(f"club.{name}", wrong)
    put("club.languages", "cs, tr")
    page = client.get("/", headers={"accept-language": "ru"})
    assert page["Content-Language"] == "tr"
    assert 'value="ru"' not in seen(page)
    assert client.get("/", headers={"accept-language": "cs"})["Content-Language"] == "cs"
    put("club.time_zone", "Europe/Istanbul")
    put("club.maintenance_from", "2100-01-01 09:00")
    assert "2100-01-01 12:00 Europe/Istanbul" in seen(client.get("/"))


def test_blocks_of_the_first_page_and_the_welcome(put, client):
    put("club.welcome", "Merhaba <b>")
    put("club.home", "doors")
    page = seen(client.get("/"))
    assert "Merhaba &lt;b&gt;" in page
    assert 'class="doors"' in page
    assert 'class="tiles"' not in page


def test_a_test_mail_goes_to_the_operator(put, settings):
    settings.MAIL_IS_SET_UP = True
    put("club.sender", "cards@kahve.example")
    admin = staff("administrator")
    answer = admin.post(reverse(SETTINGS), {"test_mail": "1"})
    assert "no address" in str(next(iter(get_messages(answer.wsgi_request))))
    user = User.objects.get(username="administrator")
    EmailAddress.objects.create(user=user, email="boss@kahve.example")  # not confirmed yet
    assert "test mail" in seen(admin.get(reverse(SETTINGS)))
    admin.post(reverse(SETTINGS), {"test_mail": "1"})
    (sent,) = mail.outbox
    assert (sent.to, sent.from_email) == (["boss@kahve.example"], "Cardroom <cards@kahve.example>")


def test_a_value_of_another_setting_is_not_its_history(put):
    put("club.welcome", "One")
    row = SettingChange.objects.get()
    with pytest.raises(Refusal):
        club.put_back_to(name="club.imprint", row=str(row.pk), by="somebody")
