"""Lines of lists are kept, and made once for many readers: each reads the own ones all the same."""

import re

import pytest
from django.conf import settings
from django.db import connection
from django.middleware.csrf import _does_token_match
from django.template import Context, Template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.safestring import SafeString

from accounts.models import User
from accounts.notifications.models import Choices
from accounts.social.models import Privacy
from config.postgres.together import once, read
from games.people import counting
from tests.conftest import client_of
from tests.matches.scenes import opened
from tests.people.ended import between

pytestmark = pytest.mark.django_db
WON = '<span class="tag">you won'
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
FAR_EAST = "+09:00"


@pytest.fixture
def world(ada, ben, cleo):
    """Ada has beaten Ben in public, and lives far in the east."""
    Choices.objects.create(account=ada, time_zone="Asia/Tokyo")
    between(ada, ben, visibility="public")
    opened(cleo, "me, open", visibility="public")
    counting.count_finished()
    return {"ada": client_of(ada), "ben": client_of(ben), "cleo": client_of(cleo), "": Client()}


def text(browser, address):
    answer = browser.get(address, SERVER_NAME="localhost")
    assert answer.status_code == 200, address
    return answer.content.decode()


@pytest.mark.parametrize("address", ["/people/Ada", "/lobby?whose=all"])
@pytest.mark.parametrize("order", [("ada", "ben", "cleo", ""), ("", "cleo", "ben", "ada")])
def test_each_reads_the_own_outcome_whoever_came_before(world, address, order):
    for _ in range(2):
        pages = {name: text(world[name], address) for name in order}
        assert {name for name in order if "you won" in pages[name]} == {"ada"}
        assert {name for name in order if "you lost" in pages[name]} == {"ben"}
        assert all("Ada won" in pages[name] for name in ("cleo", ""))
        assert not any(FAR_EAST in pages[name] for name in ("ben", "cleo", ""))


def test_the_lines_of_the_history_are_for_one_reader(world):
    """With forms of the reader's own session, also when they come from what is kept."""
    for _ in range(2):
        pages = {name: text(world[name], "/history") for name in ("ada", "ben")}
        assert [WON in pages[name] for name in ("ada", "ben")] == [True, False]
        assert FAR_EAST in pages["ada"]
        assert FAR_EAST not in pages["ben"]
        for name, page in pages.items():
            secret = world[name].cookies["csrftoken"].value
            assert all(_does_token_match(token, secret) for token in TOKEN.findall(page))


def test_a_second_look_at_the_history_reads_no_match(world):
    text(world["ben"], "/history")
    with CaptureQueriesContext(connection) as queries:
        text(world["ben"], "/history")
    assert not any('"games_match"."seed"' in query["sql"] for query in queries)


def test_a_friend_of_somebody_hidden_reads_a_line_of_their_own(world, ada, ben, cleo):
    Privacy.objects.create(account=ben, hides_profile=True)
    for _ in range(2):
        assert "Ben" not in text(world["cleo"], "/people/Ada")
        assert "Ben" in text(world["ada"], "/people/Ada")
        assert "Ben" not in text(world[""], "/people/Ada")


@pytest.mark.parametrize("address", ["/", "/lobby", "/people/Ben"])
def test_what_readers_share_of_a_page_tells_nothing_of_another(world, ada, address):
    for name in ("", "ada", "cleo", "", "ada"):
        page = text(world[name], address)
        assert (f'data-account="{ada.pk}"' in page) == (name == "ada")
        assert ('<span class="account-name">Ada' in page) == (name == "ada")
        assert ('href="/accounts/logout/"' in page) == bool(name)
        secret = world[name].cookies["csrftoken"].value
        assert all(_does_token_match(token, secret) for token in TOKEN.findall(page))


def test_a_shared_part_knows_the_values_that_it_names(ada):
    inside, given = "{{ a }}{{ user }}{{ request }}{{ club.name }}", {"user": ada, "request": "Ada"}
    part = Template(f"{{% load faces %}}{{% shared a=a %}}{inside}{{% endshared %}}")
    shown = [part.render(Context({"a": a} | given)) for a in ("<", SafeString("<"), "<", 1, True)]
    assert shown == ["&lt;Cardroom", "<Cardroom", "&lt;Cardroom", "1Cardroom", "TrueCardroom"]
    settings.CLUB.change({"name": "Felt"})
    assert part.render(Context({"a": 1})) == "1Felt"


def test_a_statement_that_is_written_once_takes_the_values_of_each_call(ada, ben):
    @once
    def named(account, name):
        return User.objects.filter(pk=account, username__iexact=name)

    calls = [named(ada.pk, "ADA"), named(ben.pk, "ben"), named(ben.pk, SafeString("ada"))]
    assert [one.sql for one in calls] == [calls[0].sql] * 3
    assert read(*calls) == [[ada], [ben], []]
    with pytest.raises(TypeError, match="stand"):
        once(lambda account: User.objects.filter(is_bot=not account))(ada.pk)
