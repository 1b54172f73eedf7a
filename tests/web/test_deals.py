"""The page that shows every deck against its seal; its script is tried in tests/e2e."""

import json
import re

from tests.matches.scenes import opened, played, short


def steps_on(page: str) -> list[dict[str, object]]:
    found = re.search(r'<script id="deals-steps" type="application/json">(.*?)</script>', page)
    return json.loads(found[1])


def test_while_a_match_runs_its_seal_alone_is_shown(ada, at_home):
    match = opened(ada, "me, bot greedy")
    at_home.open(f"/matches/{match.id}/deals")
    assert match.commitment in at_home.page
    assert "it is there when the match is over" in at_home.text
    assert match.seed.hex() not in at_home.page
    assert "deals-steps" not in at_home.page


def test_afterwards_every_deck_stands_there_with_its_step(ada, at_home):
    match = played(short(ada, "pazaak"))
    at_home.open(f"/matches/{match.id}/deals")
    assert match.seed.hex() in at_home.page
    steps = steps_on(at_home.page)
    assert [step["k"] for step in steps] == list(range(len(steps)))
    assert at_home.page.count("data-deal=") == len(steps) > 2


def test_the_table_names_its_seal(ada, at_home):
    match = opened(ada, "me, bot greedy")
    at_home.open(f"/matches/{match.id}")
    assert f'data-seal="{match.commitment}"' in at_home.page
