"""How far a request goes through the tree: the functions of ours that it calls, and their modules.

A way that grows is looked at before its bound is raised.
"""

import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from games.matches import joining, loading
from tests.matches.scenes import move, now, opened, played
from tests.web.browsing import signed_in

ROOT = f"{Path(__file__).resolve().parents[2]}/"
LEFT_OUT = (f"{ROOT}tests/", f"{ROOT}.venv/")


def way(call):
    """Modules and calls; a generator counts each time that it goes on."""
    calls = Counter()

    def see(frame, event, _):
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(ROOT) and not name.startswith(LEFT_OUT):
            calls[name] += 1

    sys.setprofile(see)
    threading.setprofile(see)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return len(calls), calls.total()


@pytest.mark.parametrize(("game", "most_calls"), [("pisti", 860), ("shithead", 1_160)])
def test_the_page_of_a_match(ada, ben, game, most_calls):
    match = opened(ada, "me, open", game)
    joining.join(match_id=match.id, user=ben, seat=1)
    for _ in range(3):
        move(now(match))
    page = signed_in(ada).open(f"/matches/{match.id}")  # what is kept between requests is there
    modules, calls = way(lambda: page.open(f"/matches/{match.id}"))
    assert modules <= 78
    assert calls <= most_calls


@pytest.mark.parametrize(("game", "bot", "most_calls"), [
    ("pisti", "greedy", 1_250), ("shithead", "keeper", 1_400),
])  # fmt: skip
def test_loading_with_new_cards(ada, game, bot, most_calls):
    match = played(opened(ada, f"me, bot {bot}", game), 8)
    load = {"match_id": match.id, "user": ada, "cards": "reshuffled", "version": 6}
    loading.load(**load)
    modules, calls = way(lambda: loading.load(**load))
    assert modules <= 55
    assert calls <= most_calls
