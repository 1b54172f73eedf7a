"""Feeds of a public match and of a person's results: what everybody may see, and nothing else."""

from xml.etree import ElementTree

import pytest
from django.test import Client

from accounts.audit.log import Actor
from accounts.social import services
from games.operations import people
from games.people import counting
from tests.matches.scenes import opened, played, short
from tests.people.ended import between

ATOM = "{http://www.w3.org/2005/Atom}"


def read(path, **headers):
    """Title, address and words of every entry."""
    answer = Client().get(path, headers=headers)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.content)
    assert feed.findtext(f"{ATOM}id")
    assert feed.findtext(f"{ATOM}updated")
    return [
        (one.findtext(f"{ATOM}title"), one.findtext(f"{ATOM}id"), one.findtext(f"{ATOM}summary"))
        for one in feed.iter(f"{ATOM}entry")
    ]


def feed_of(match):
    return f"/matches/{match.id}/feed.atom"


def test_a_public_match_as_spectators_read_it(ada):
    match = played(opened(ada, "me, local Twin", "pisti", visibility="public"), 6)
    found = read(feed_of(match))
    assert len({one[1] for one in found}) == len(found) >= 6
    text = Client().get(feed_of(match)).content.decode()
    assert match.seed.hex() not in text
    newest = next(one for one in found if "#ply-6" in one[1])
    assert newest == found[0]


def test_it_tells_no_more_than_the_page_of_a_spectator(ada):
    match = played(opened(ada, "me, local Twin", "shithead", visibility="public"), 8)
    page = Client().get(f"/matches/{match.id}").content.decode()
    shown = [sentence for _, _, words in read(feed_of(match)) for sentence in words.split(". ")]
    missing = [one for one in shown if one.rstrip(".") not in page.replace("&#x27;", "'")]
    assert len(missing) < len(shown)
    hand = match.rules.view(match.state, 0).hand
    told = " ".join(words for _, _, words in read(feed_of(match)))
    assert not [card for card in hand if f"draws {card}" in told]


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_no_other_match_has_one(ada, client, visibility):
    match = played(opened(ada, visibility=visibility), 2)
    client.force_login(ada)
    assert client.get(feed_of(match)).status_code == 404
    assert Client().get(feed_of(match)).status_code == 404


def test_it_is_as_late_as_its_host_wants(ada):
    match = opened(ada, "me, local Twin", "pisti", visibility="public", watch_delay=4)
    match = played(match, 6)
    plies = {one[1].partition("#ply-")[2] for one in read(feed_of(match))}
    assert "2" in plies
    assert not plies & {"3", "4", "5", "6"}


def test_the_results_of_a_person(ada, ben):
    between(ada, ben, visibility="public")
    hidden = between(ada, ben)
    counting.count_finished()
    found = read("/people/ada/results.atom")
    assert [title for title, _, _ in found] == ["Pişti: won by Ada"]
    assert str(hidden.id) not in str(found)
    turkish = read("/people/ada/results.atom", **{"accept-language": "tr"})
    assert turkish[0][0] != found[0][0]


def test_who_hides_has_no_feed(ada, ben, client):
    between(ada, ben, visibility="public")
    counting.count_finished()
    services.set_privacy(user=ada, hides_profile=True)
    client.force_login(ada)  # not even then: programs read it for everybody
    assert client.get("/people/ada/results.atom").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_suspended_and_erased_people_have_none(ada, ben):
    match = between(ada, ben, visibility="public")
    counting.count_finished()
    operator = Actor(None, "operator", "A reason.")
    people.suspend(user_id=ben.pk, by=operator, until=None, resigns=True)
    assert Client().get("/people/ben/results.atom").status_code == 404
    people.erase(user_id=ada.pk, by=operator)
    assert Client().get("/people/ada/results.atom").status_code == 404
    assert "Ada" not in Client().get(feed_of(match)).content.decode()


def test_guests_and_nobody_have_none(guest):
    for name in (guest.username, "nobody"):
        assert Client().get(f"/people/{name}/results.atom").status_code == 404


def test_a_match_that_is_over_keeps_its_feed(ada):
    match = played(short(ada, "pisti", visibility="public"))
    assert match.is_over
    assert read(feed_of(match))


def test_a_match_that_nobody_joined_has_none(ada):
    match = opened(ada, "me, open", visibility="public")
    assert Client().get(feed_of(match)).status_code == 404
