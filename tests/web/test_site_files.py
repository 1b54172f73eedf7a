"""What is asked of every site by name, what a shared link shows, where a form's address leads."""

import re

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from config.pages.way_back import FOR_PROGRAMS, page_above
from tests.matches.scenes import opened
from tests.web.browsing import Browser

CONVERTER = re.compile(r"<(\w+):\w+>")
EXAMPLES = {
    "uuid": "0193f2b0-0000-7000-8000-000000000000",
    "slug": "pisti",
    "str": "x",
    "int": "1",
    "path": "x",
}


def addresses(patterns, prefix="/"):
    """An address for each pattern of the site's own pages."""
    for pattern in patterns:
        path = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern) and not re.search(r"[\\^$(]", path):
            yield CONVERTER.sub(lambda found: EXAMPLES[found[1]], path)


OURS = [
    address
    for address in addresses(get_resolver().url_patterns)
    if not address.startswith(("/api/", "/admin/", "/stream"))
]


@pytest.mark.django_db
def test_no_page_of_the_site_refuses_to_be_opened(ada):
    """Every address that only takes forms leads to the page above it."""
    browser = Client()
    browser.force_login(ada, backend="allauth.account.auth_backends.AuthenticationBackend")
    forms = 0
    for address in OURS:
        answer = browser.get(address)
        assert answer.status_code != 405 or address.startswith(FOR_PROGRAMS), address
        forms += answer.status_code == 302 and page_above(address) == answer["Location"]
    assert forms > 15


def test_a_form_of_a_table_leads_to_the_table(ada, at_home):
    match = opened(ada, "me, bot greedy")
    for name in ("move", "join", "load", "resign"):
        at_home.open(f"/matches/{match.id}/{name}")
        assert at_home.address == f"/matches/{match.id}"
        assert at_home.status == 200
    assert at_home.client.post(f"/matches/{match.id}/move").status_code != 302


def test_the_api_still_refuses_a_wrong_method(client, db):
    assert client.get("/api/v1/accounts/guest").status_code == 405


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("/favicon.ico", "image/x-icon"),
        ("/robots.txt", "text/plain; charset=utf-8"),
        ("/manifest.webmanifest", "application/manifest+json"),
    ],
)
def test_files_that_every_site_has(client, db, address, kind):
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer["Content-Type"] == kind
    assert answer.getvalue()


def test_who_previews_a_link_may_read_the_page_of_a_match(client, db):
    everybody, previews = client.get("/robots.txt").content.decode().split("\n\n")
    assert "Disallow: /matches/" in everybody
    assert "User-agent: Twitterbot" in previews
    assert "Disallow: /matches/" not in previews
    assert "Disallow: /history" in previews


def test_a_shared_link_has_words_and_a_picture(db):
    page = Browser().open("/").page
    picture = re.search(r'property="og:image" content="http://testserver([^"]+)"', page)[1]
    assert picture.endswith(".png")
    assert len(re.search(r'name="description" content="([^"]+)"', page)[1]) > 50
