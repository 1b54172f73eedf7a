"""The queries of every page of the admin: at most ten for each role, and none for each row more.

``make people PEOPLE=--admin`` measures the same pages among 5,000 people and 200,000 matches.
"""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse

from accounts.staff_pages import ROLES
from games.matches import loading
from tests.admin.everything import MODELS, World, a_world, list_of, page, pages
from tests.admin.test_acts import staff
from tests.competitions.held import begun, held, players
from tests.conftest import registered
from tests.matches.scenes import opened, played, short

pytestmark = pytest.mark.django_db

MOST = 10
OF_THE_TEST = ("SAVEPOINT", "RELEASE", "ROLLBACK")  # a request is a transaction of its own


@pytest.fixture
def world(ada, ben) -> World:
    return a_world(ada, ben)


def views(world: World) -> Iterator[str]:
    """The first address of each view; of matches and people every one."""
    seen = set()
    for address in pages(world):
        view = resolve(address).view_name
        if view not in seen or view.endswith(("_match_change", "_person_change")):
            yield address
        seen.add(view)


def queries(browser, address: str) -> int:
    cache.clear()
    with CaptureQueriesContext(connection) as captured:
        browser.get(address)
    return sum(not each["sql"].startswith(OF_THE_TEST) for each in captured)


@pytest.mark.parametrize("role", ROLES)
def test_a_page_asks_at_most_ten(world, role):
    cup = begun(held(world.ada), world.ada, world.ben, *players(4))
    party = opened(world.ada, "me, local B, local C, local D", "shithead", options={"players": 4})
    parent = played(short(world.ada, "pisti"), 6)
    loaded = loading.load(match_id=parent.id, version=4, user=world.ada, cards="reshuffled")
    over = [played(parent), played(loaded)]
    more = [page(type(world.open), "change", one.id) for one in (party, *over)]
    more += [page(type(cup), "change", cup.pk)]
    more += [f"{reverse('admin:several_people')}?id={world.ada.pk}&id={world.ben.pk}"]
    browser = staff(role)
    asked = {address: queries(browser, address) for address in [*views(world), *more]}
    assert len(asked) > 250
    assert {address: count for address, count in asked.items() if count > MOST} == {}


def test_a_longer_list_asks_no_more(world):
    browser = staff("administrator")
    few = {model: queries(browser, list_of(model)) for model in MODELS}
    for names in (("Cem", "Dora"), ("Emre", "Fay")):
        a_world(*map(registered, names))
    many = {model: queries(browser, list_of(model)) for model in MODELS}
    assert {model: (few[model], many[model]) for model in MODELS if many[model] > few[model]} == {}
