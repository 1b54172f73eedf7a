"""Two requests at the same moment: whatever their order, nothing breaks and nothing is doubled."""

from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection

from accounts import services
from accounts.models import User
from cardroom.rules.pazaak.side_cards import STARTER
from decks import services as decks
from decks.services import NoSuchDeck
from games.matches import loading
from games.matches.joining import join, open_rematch
from games.matches.models import Match
from games.matches.opening import write_new
from games.matches.selectors.access import get_match
from games.matches.selectors.secrecy import may_tell_all
from games.matches.snapshot import MatchSnapshot
from tests.matches.scenes import opened, played, resigned

ROUNDS = 12


def at_once(*calls: Callable[[], object]) -> list[BaseException | object]:
    """What each call gave or raised; all begin at the same moment."""
    barrier, results = Barrier(len(calls)), [None] * len(calls)

    def run(number: int, call: Callable[[], object]) -> None:
        barrier.wait()
        try:
            results[number] = call()
        except Exception as error:  # noqa: BLE001 - the scene looks at it
            results[number] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=each) for each in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.django_db(transaction=True)
def test_a_deck_is_deleted_while_it_is_changed() -> None:
    owner = services.open_guest()
    for number in range(ROUNDS):
        deck = decks.create_deck(owner=owner.pk, name=f"Deck {number}", cards=STARTER)
        here = {"owner": owner.pk, "deck_id": deck.pk}
        changed, deleted = at_once(
            lambda here=here, number=number: decks.update_deck(**here, name=f"New {number}"),
            lambda here=here: decks.delete_deck(**here),
        )
        assert deleted is None
        assert changed.pk == deck.pk if not isinstance(changed, Exception) else True
        assert not isinstance(changed, Exception) or isinstance(changed, NoSuchDeck)


@pytest.mark.django_db(transaction=True)
def test_a_rematch_asked_for_twice_is_one(ada: User) -> None:
    for _ in range(3):
        over = resigned(opened(ada, "me, bot greedy", preset="single"), 0)
        first, second = at_once(*[lambda over=over: open_rematch(match_id=over.id, user=ada)] * 2)
        assert first.id == second.id
        assert Match.objects.filter(previous=over.id).count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_last_move_beside_a_load_tells_nothing(ada: User, ben: User, monkeypatch) -> None:
    """A reader of the old match's seed would know what the loader holds in the new one."""
    match = played(join(match_id=opened(ada, "me, open").id, user=ben), 4)
    ended: list[MatchSnapshot] = []

    def end() -> None:
        ended.append(resigned(match, 1))
        connection.close()

    last_move = Thread(target=end)

    def write_meanwhile(*written: Any) -> MatchSnapshot:
        last_move.start()
        last_move.join(0.2)
        assert not ended  # it waits until the new match is there
        return write_new(*written)

    monkeypatch.setattr(loading, "write_new", write_meanwhile)
    loading.load(match_id=match.id, user=ada, cards="reshuffled", version=4)
    last_move.join()
    for over in (ended[0], get_match(match.id)):
        assert over.is_over
        assert not may_tell_all(over, ben.pk)


@pytest.mark.django_db
def test_a_key_made_while_its_guest_registers_expires() -> None:
    guest = services.open_guest()
    stale = User.objects.get(pk=guest.pk)
    services.register(username="Ada", password="a long and quiet evening", guest=guest)
    assert services.issue_key(user=stale).key.expires_at is not None
