"""Titles follow from matches: what gives one, what does not, and who sees them."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.social.models import Privacy
from cardroom.rules import catalog
from decks.selectors import ready_made
from games.daily.models import Entry
from games.daily.selectors import has_feat
from games.matches.models import Seat
from games.people import counting, profiles
from games.people.profiles import titles_for
from tests.daily.days import again, begun, over, to_its_end
from tests.people.ended import against

pytestmark = pytest.mark.django_db
PROFESSOR = profiles.strongest(catalog.find("pazaak")).slug


def won_with(person, deck, bot=PROFESSOR):
    """A match against a computer that was won with these cards."""
    match = against(person, bot, "pazaak")
    seats = Seat.objects.filter(match=match.id)
    seats.update(place=2)
    seats.filter(user=person).update(place=1, side_deck=list(reversed(deck)))


def slugs(person, reader=None):
    return [(one.slug, one.game) for one in titles_for(reader, person.pk)]


def test_the_strongest_computer_beaten_with_every_ready_made_deck(ada, ben):
    first, *others = ready_made()
    for deck in others:
        won_with(ada, deck)
    won_with(ada, first, bot="beginner")
    counting.count_finished()
    assert slugs(ada) == []
    won_with(ada, first)
    counting.count_finished()
    assert slugs(ada) == [("decks", "pazaak")]
    assert slugs(ben) == []


def test_a_pisti_in_a_deal_of_the_day(settings, ada, ben, keyed):
    begun(settings, ada, ben)
    match = to_its_end(ada)
    expected = has_feat(again(match))
    assert slugs(ada, ada.pk) == []  # not before the deal is revealed
    over()
    assert Entry.objects.get(account=ada).has_feat is expected
    Entry.objects.filter(account=ada).update(has_feat=not expected)
    with pytest.raises(CommandError):
        call_command("recount", stdout=StringIO())
    out = StringIO()
    call_command("recount", mend=True, stdout=out)
    assert "deals of the day: 1 mended" in out.getvalue()
    assert Entry.objects.get(account=ada).has_feat is expected
    Entry.objects.filter(account=ada).update(has_feat=True)
    assert slugs(ada) == [("daily", "pisti")]
    profile = keyed(ben).get("/api/v1/users/Ada").json()
    assert profile["titles"] == [{"title": "daily", "game": "pisti"}]
    Privacy.objects.create(account=ada, hides_titles=True)
    assert slugs(ada, ben.pk) == []
    assert slugs(ada, ada.pk) == [("daily", "pisti")]


def test_a_feat_is_an_event_of_the_persons_own_seat(settings, ada):
    """Of the match that was played, told by its record."""
    begun(settings, ada)
    match = again(to_its_end(ada))
    events = [event for entry in entries(match) for event in entry.events]
    own = [one for one in events if type(one).__name__ == "Pisti" and one.seat == 0]
    assert has_feat(match) is bool(own)


def entries(match):
    from games.matches.selectors.log import log_entries

    return log_entries(match)
