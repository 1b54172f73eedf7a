"""A match keeps its own copy: what becomes of the saved deck changes nothing in it (pazaak R2)."""

import pytest

from decks import services
from games.matches import opening
from games.matches.joining import open_rematch
from games.matches.models import Seat
from games.matches.refusals import BadDeck, UnknownDeck
from games.matches.seats import SeatRequest
from tests.decks.conftest import MIXED, PLUSES
from tests.matches.scenes import now, played


def opened(owner, deck, **rules):
    wishes = [SeatRequest(kind="me", deck=str(deck.pk)), SeatRequest(kind="local", name="Twin")]
    return opening.open_match(creator=owner, game="pazaak", seats=wishes, **rules)


def brought(match):
    return tuple(Seat.objects.get(match_id=match.id, index=0).side_deck)


@pytest.mark.parametrize("fate", ["edited", "deleted"])
def test_a_running_match_never_notices(ada, deck, fate):
    match = opened(ada, deck)
    before = now(match).state
    if fate == "edited":
        services.update_deck(owner=ada.pk, deck_id=deck.pk, cards=MIXED, name="Other")
    else:
        services.delete_deck(owner=ada.pk, deck_id=deck.pk)
    assert now(match).state == before
    assert brought(match) == PLUSES
    over = played(match)
    assert over.status == "finished"
    spent = {code for half in over.state.halves for code in half.played}
    assert spent <= set(PLUSES)
    assert brought(match) == PLUSES


def test_a_rematch_brings_the_same_copy(ada, deck):
    match = played(opened(ada, deck))
    services.delete_deck(owner=ada.pk, deck_id=deck.pk)
    again = open_rematch(match_id=match.id, user=ada)
    decks_brought = {tuple(seat.side_deck) for seat in Seat.objects.filter(match_id=again.id)}
    assert PLUSES in decks_brought


def test_the_default_deck_is_brought_unless_another_is_named(ada, deck):
    services.create_deck(owner=ada.pk, name="Mixed", cards=MIXED, is_default=True)
    wishes = [SeatRequest(kind="me"), SeatRequest(kind="local", name="Twin")]
    match = opening.open_match(creator=ada, game="pazaak", seats=wishes)
    assert sorted(brought(match)) == sorted(MIXED)


def test_a_deck_that_the_match_does_not_allow_is_refused_with_its_faults(ada):
    deck = services.create_deck(owner=ada.pk, name="Mixed", cards=MIXED)
    with pytest.raises(BadDeck) as refused:
        opened(ada, deck, options={"catalogue": "kotor1"})
    assert [*map(str, refused.value.sentences)] == [
        "PM12 (±1/2) is not in the catalogue 'kotor1'.",
        "F24 (Flip 2 & 4) is not in the catalogue 'kotor1'.",
        "D (Double) is not in the catalogue 'kotor1'.",
        "T (Tiebreaker ±1) is not in the catalogue 'kotor1'.",
    ]


def test_a_match_limits_copies(ada, deck):
    with pytest.raises(BadDeck) as refused:
        opened(ada, deck, options={"max_copies": 1})
    assert str(refused.value.sentences[0]) == "P1 (+1) is in the deck 2 times; 1 allowed."


def test_nobody_brings_the_deck_of_another(ben, deck):
    with pytest.raises(UnknownDeck):
        opened(ben, deck)
