"""A page that sends a move waits a moment for computers that answer at once."""

import re

import pytest

from games.matches.bot_turns import play_bot_turns
from games.web.table.acts import wait_for_quick_computers
from tests.matches.scenes import opened, played
from tests.web.browsing import signed_in

PISTI = "me, bot greedy"


def test_the_answer_that_is_there_is_found_at_the_first_look(ada, django_assert_num_queries):
    match = played(opened(ada, PISTI), 1)
    assert match.awaits_bot
    play_bot_turns(match_id=match.id, version=match.version)
    with django_assert_num_queries(1):
        wait_for_quick_computers(match)


def test_nobody_waits_for_long(ada, django_assert_max_num_queries):
    match = played(opened(ada, PISTI), 1)
    with django_assert_max_num_queries(20):
        wait_for_quick_computers(match)


@pytest.mark.parametrize("seats", ["me, local Twin", "me, bot searcher"])
def test_nobody_waits_for_people_or_computers_that_think(ada, seats, django_assert_num_queries):
    match = played(opened(ada, seats), 1)
    with django_assert_num_queries(0):
        wait_for_quick_computers(match)


def test_a_panel_shows_the_move_and_its_answer(ada):
    """Both are played, one after the other, by the script of a page that shows version 0."""
    match = played(opened(ada, PISTI), 1)
    play_bot_turns(match_id=match.id, version=match.version)
    page = signed_in(ada).open(f"/matches/{match.id}/news?shown=0-active").page
    assert 'data-version="2"' in page
    motions = page.split('<template id="motions">')[1].split("</template>")[0]
    assert set(re.findall(r'data-version="(\d+)"', motions)) == {"1", "2"}
