"""Streams and seeks: who listens is there; a page is sent its match, a lobby that others wait."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.notifications.outbox import is_looking
from games.lobby import seeking
from games.lobby.models import Seek
from tests.lobby.seekers import now, waits
from tests.patience import WAITING
from tests.web.browsing import signed_in

pytestmark = WAITING


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("games.live.hub.CHECK_SECONDS", 0.0)
    monkeypatch.setattr("games.live.hub.SWEEP_SECONDS", 0.05)
    cache.set(seeking.LOOKED, timezone.now().timestamp())


def silent_for(seconds):
    Seek.objects.update(seen_at=timezone.now() - timedelta(seconds=seconds))


def seen(seek, heard):
    """Waits until the stream gave a sign of life."""
    while timezone.now() - now(seek).seen_at > timedelta(seconds=10):
        heard.next()


def test_a_page_that_listens_keeps_its_readers_seek(hear, ada):
    seek = waits(ada)
    heard = hear(signed_in(ada).client)
    silent_for(14)
    seen(seek, heard)
    seeking.end_lapsed()
    assert now(seek).status == "waiting"


def test_the_stream_of_an_account_keeps_its_seek(hear, listen, ada, first):
    hear(Client())  # its pings measure the time
    seek = waits(ada)
    listen(first, "stream")
    silent_for(14)
    seen(seek, hear(Client()))


def test_nobody_else_keeps_it(hear, ada, ben):
    seek = waits(ada)
    silent_for(16)
    heard = hear(signed_in(ben).client, "lobby")
    for _ in range(2):
        heard.next("ping")
    seeking.end_lapsed()
    assert (now(seek).status, now(seek).ending) == ("ended", "lapsed")


def test_a_page_is_sent_the_match_into_which_its_reader_was_paired(hear, ada, ben):
    seek = waits(ada)
    heard, other = hear(signed_in(ada).client), hear(signed_in(ben).client)
    heard.next("waiting")
    waits(ben)
    seeking.pair_all()
    match = str(now(seek).match_id)
    assert heard.next("paired") == {"type": "paired", "match": match}
    assert other.next("paired")["match"] == match


def test_a_page_that_opens_a_moment_later_is_sent_it_too(hear, ada, ben):
    seek = waits(ada)
    waits(ben)
    seeking.pair_all()
    assert hear(signed_in(ada).client).next("paired")["match"] == str(now(seek).match_id)


def test_a_lobby_is_sent_that_others_wait(hear, ada):
    heard = hear(Client(), "lobby")
    heard.next("ping")
    waits(ada)
    assert heard.next("lobby") == {"type": "lobby"}


def test_a_page_is_looked_at_and_a_program_looks_at_none(hear, listen, ada, ben, second):
    """Whoever looks at a page is sent no mail; a program that listens is no reader."""
    heard = hear(signed_in(ada).client)
    listen(second, "stream")
    patience = 200
    while patience and not is_looking(ada.pk):
        patience -= 1
        heard.next()
    assert is_looking(ada.pk)
    assert not is_looking(ben.pk)
