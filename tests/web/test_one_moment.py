"""All that a page shows is of one version, also while the match goes on under it."""

import re
import threading
from html import unescape

import pytest

from cardroom.rules import catalog
from games.matches.selectors.access import get_match
from games.matches.selectors.log import events_for, log_entries
from tests.matches.scenes import move, now, opened
from tests.patience import WAITING, wait_until
from tests.rules.playing import FUZZING
from tests.web.browsing import signed_in

pytestmark = WAITING
PAGES = 400 if FUZZING else 16
QUIET = catalog.find("pisti").quiet_events


@pytest.fixture
def running(transactional_db, ada):
    """A match whose two seats move as fast as they can, in a thread; a short one needs a next."""
    stop = threading.Event()

    def play(match):
        from django.db import connection

        while not stop.is_set() and match.status == "active":
            match = move(match)
        connection.close()

    threads = []

    def begin(game):
        match = opened(ada, "me, local Twin", game)
        threads.append(threading.Thread(target=play, args=[match]))
        threads[-1].start()
        wait_until(lambda: now(match).version)  # the deal alone is announced in other words
        return match

    yield begin
    stop.set()
    for thread in threads:
        thread.join()


def sentence_at(match, version):
    """The sentences of the newest ply with an event that is not quiet, at this version."""
    for entry in reversed(list(log_entries(match, until=version))):
        events = [e for e in events_for(match, entry, None) if type(e) not in QUIET]
        if events:
            return " ".join(str(match.rules.sentence(e, match.names)) for e in events)
    return ""


def test_log_felt_and_scores_are_of_one_version(running, ada):
    """Pişti by two who move all the time: every page holds together."""
    match, browser, seen = running("pisti"), signed_in(ada), set()
    for _ in range(2 * PAGES):
        page = browser.client.get(f"/matches/{match.id}/news").content.decode()
        if now(match).status != "active":  # so perhaps is that page
            match = running("pisti")
            continue
        version = int(re.search(r'data-version="(\d+)"', page)[1])
        assert int(re.search(r'name="version" value="(\d+)"', page)[1]) == version
        seen.add((match.id, version))
        newest = unescape(re.search(r'data-said="([^"]*)"', page)[1])
        assert newest == sentence_at(match, version)
        said_round = int(re.search(r"<small>deal (\d+)", page)[1])
        assert page.count('colspan="2">being played<') == 1
        assert f'<th scope="row">{said_round}</th>\n        <td class="muted"' in page
        assert f'<th scope="row">{said_round + 1}</th>' not in page
    assert len(seen) > 5


def test_bars_and_curve_of_pyanitsa_agree(running, ada):
    match, browser, curves = running("pyanitsa"), signed_in(ada), 0
    for _ in range(2 * PAGES):
        page = browser.client.get(f"/matches/{match.id}/news").content.decode()
        if now(match).status != "active":
            match = running("pyanitsa")
            continue
        bars = re.findall(r'<span class="py-counts"><b data-counts="\d+">(\d+)</b>', page)
        curve = re.search(r'<figure class="card py-curve">.*?</figcaption>', page, re.DOTALL)
        if curve and len(bars) == 2:
            curves += 1
            assert sorted(re.findall(r"<b>(\d+)</b>", curve[0])) == sorted(bars)
    assert curves > 5


def test_an_answer_names_its_version(stranger, ada):
    match = opened(ada, visibility="public")
    answer = stranger.client.get(f"/matches/{match.id}/news")
    changed = int(get_match(match.id).updated_at.timestamp() * 1_000_000)
    assert answer["Table-Version"] == f"0-{changed}"
