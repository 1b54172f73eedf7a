"""The name of a person at a table leads to their profile, if whoever reads may see it."""

import pytest

from accounts.social.services import befriend, block, set_privacy
from cardroom.rules import catalog
from games.matches import joining
from tests.matches.scenes import opened, resigned
from tests.web.browsing import Browser, signed_in

GAMES = [game.slug for game in catalog.GAMES]


def together(ada, ben, game="pisti", **more):
    match = opened(ada, "me, open", game, visibility="public", **more)
    return joining.join(match_id=match.id, user=ben)


def links(browser, match):
    page = browser.open(f"/matches/{match.id}").page
    return {part.split('"')[0] for part in page.split('class="to-profile" href="')[1:]}


def pages(*people):
    return {f"/people/{person.username}" for person in people}


@pytest.fixture
def stranger(db):
    return Browser()


@pytest.mark.parametrize("game", GAMES)
def test_the_others_name_is_a_link(ada, ben, stranger, game):
    match = together(ada, ben, game)
    assert links(signed_in(ada), match) == pages(ben)
    assert links(stranger, match) == pages(ada, ben)
    assert signed_in(ada).open(f"/people/{ben.username}").status == 200


def test_when_it_is_over_too(ada, ben, stranger):
    assert links(stranger, resigned(together(ada, ben), 0)) == pages(ada, ben)


def test_before_it_begins(ada, ben, stranger):
    match = opened(ada, "me, open", visibility="public")
    assert links(stranger, match) == pages(ada)


def test_one_who_hides_has_a_name_for_those_who_play_alone(ada, ben, cleo, stranger):
    match = together(ada, ben)
    set_privacy(user=ben, hides_profile=True)
    hidden = _seats(stranger.open(f"/matches/{match.id}").page)
    assert ("Hidden player" in hidden, ben.display_name in hidden) == (True, False)
    assert ben.display_name in signed_in(ada).open(f"/matches/{match.id}").page
    assert links(signed_in(ada), match) == set()
    assert links(stranger, match) == pages(ada)
    set_privacy(user=ben, hides_profile=False)
    type(ben).objects.filter(pk=ben.pk).update(is_guest=True, password="!")
    assert links(signed_in(ada), match) == set()
    assert ben.display_name in _seats(stranger.open(f"/matches/{match.id}").page)


def _seats(page):
    """The part of the page about the seats."""
    return page.split('class="slot slot-seats"')[1].split("</ul>")[0]


def test_friends_are_led_to_one_who_hides(ada, ben, cleo):
    match = together(ada, ben)
    set_privacy(user=ben, hides_profile=True)
    befriend(user=ben, other=cleo.pk)
    befriend(user=cleo, other=ben.pk)
    assert links(signed_in(cleo), match) == pages(ada, ben)


def test_a_block_looks_like_a_person_who_hides(ada, ben):
    match = together(ada, ben)
    block(owner=ben, blocked=ada.pk)
    assert links(signed_in(ada), match) == set()


def test_computers_and_guests_of_a_device_have_none(ada, stranger):
    assert links(signed_in(ada), opened(ada, "me, bot greedy")) == set()
    assert links(signed_in(ada), opened(ada, "me, local Twin")) == set()


def test_alone_with_computers_nothing_is_read_for_it(ada, django_assert_num_queries):
    from games.web.parts.table_page import table_page

    page = table_page(opened(ada, "me, bot greedy"), ada.pk)
    with django_assert_num_queries(0):
        assert page.profiles == {}
