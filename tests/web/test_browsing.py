"""What the browser of these tests reads off a page is what `html.parser` reads off it."""

from html.parser import HTMLParser

import pytest
from django.test import Client

from accounts.models import User
from tests.matches.scenes import opened, played
from tests.web.browsing import Reader, signed_in


class Known(HTMLParser):
    """Hands what the library finds to a reader."""

    def __init__(self) -> None:
        super().__init__()
        self.reader = Reader()

    def handle_starttag(self, tag, attrs):
        written = " ".join(f'{name}="{_quoted(value or "")}"' for name, value in attrs)
        self.reader.feed(f"<{tag} {written}>")

    def handle_endtag(self, tag):
        self.reader.feed(f"</{tag}>")

    def handle_data(self, data):
        self.reader.feed(_quoted(data))


def _quoted(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def is_read_alike(page: str) -> None:
    library, ours = Known(), Reader()
    library.feed(page)
    ours.feed(page)
    assert len(ours.text) > 5
    for what in ("forms", "ids", "text"):
        assert getattr(ours, what) == getattr(library.reader, what)


@pytest.mark.parametrize("game", ["pisti", "pazaak"])
def test_a_table(ada, at_home, game):
    match = played(opened(ada, "me, local Twin", game), 4)
    is_read_alike(at_home.open(f"/matches/{match.id}").page)


@pytest.mark.parametrize("address", ["/", "/new?game=pisti", "/accounts/"])
def test_a_page(ada, address):
    is_read_alike(signed_in(ada).open(address).page)


@pytest.mark.parametrize("address", ["/admin/games/match/", "/admin/accounts/user/add/"])
def test_a_page_of_the_admin(ada, address):
    opened(ada)
    browser = Client()
    root = User.objects.create_superuser("root")
    browser.force_login(root, "allauth.account.auth_backends.AuthenticationBackend")
    is_read_alike(browser.get(address).content.decode())
