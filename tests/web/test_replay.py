"""The replay by links and forms alone: every ply, the own seat's past, then open hands."""

import json
import re
from random import Random

import pytest

from cardroom.rules import catalog
from cardroom.rules.bot import harder, levels
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Setup
from games.matches import joining
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.web.tables import page_of
from tests.api.calls import post
from tests.matches.scenes import now, opened, short
from tests.matches.scenes import played as scenes_played
from tests.web.browsing import Browser, signed_in
from tests.web.test_table import shown_cards


def held_by(match, seat: int) -> set[str]:
    text = match.rules.card_text
    return {text(card) for card in match.state.hands[seat]}


@pytest.fixture
def between_two(ada, ben):
    """A running match of Pişti between Ada and Ben after six plies."""
    match = opened(ada, "me, user Ben", visibility="link")
    return scenes_played(joining.join(match_id=match.id, user=ben), 6)


@pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
def test_every_ply_of_a_match_that_is_over_has_a_page(ada, at_home, game):
    match = scenes_played(short(ada, game), rng=Random(3))
    for ply in (0, 1, match.version // 2, match.version):
        at_home.open(f"/matches/{match.id}?ply={ply}")
        assert at_home.status == 200
        assert f"Move {ply} of {match.version}" in at_home.text
        assert 'aria-current="step"' in at_home.page
    assert "Play on from here" not in at_home.text  # the match is over at this point


def test_links_lead_from_ply_to_ply(ada, at_home):
    match = scenes_played(short(ada, "pisti"))
    at_home.open(f"/matches/{match.id}?ply=3")
    for ply in (0, 2, 4, match.version):
        assert f'href="/matches/{match.id}?ply={ply}"' in at_home.page
    at_home.open(f"/matches/{match.id}?ply={10**8}")
    assert f"Move {match.version} of" in at_home.text
    at_home.open(f"/matches/{match.id}?ply=x")
    assert "Move 0 of" in at_home.text


def test_every_hand_is_turned_up_when_the_match_is_over(ada, stranger):
    match = scenes_played(short(ada, "pisti", visibility="link"))
    address = f"/matches/{match.id}?ply=0"
    dealt = shown_cards(stranger.open(address))
    assert len(dealt) == 1  # the top of the pile
    from_a_seat = shown_cards(stranger.open(f"{address}&seat=1"))
    assert len(from_a_seat) == 1 + 4
    assert len(shown_cards(stranger.open(f"{address}&seat=1&hands=1"))) == 1 + 4 + 4


@pytest.mark.parametrize("game", ["pazaak", "shithead", "pyanitsa"])
def test_hands_of_each_game_can_be_turned_up(ada, at_home, game):
    match = scenes_played(short(ada, game))
    at_home.open(f"/matches/{match.id}?ply=1&hands=1")
    assert at_home.status == 200
    assert "open-hands" in at_home.page


def test_a_running_match_shows_the_past_of_the_own_seat_only(between_two, ada, ben):
    at_start = between_two.rules.card_text
    first = {at_start(card) for card in between_two.state.hands[1]}
    for ply in range(between_two.version + 1):
        page = signed_in(ada).open(f"/matches/{between_two.id}?ply={ply}&seat=1&hands=1")
        assert not shown_cards(page) & first
        assert "open-hands" not in page.page
    assert shown_cards(signed_in(ben).open(f"/matches/{between_two.id}?ply=0")) >= first


def test_who_only_watches_waits_for_the_end(between_two):
    stranger = Browser().open(f"/matches/{between_two.id}?ply=2")
    assert "?" not in stranger.address
    assert "The replay is there when the match is over." in stranger.text


def test_a_private_match_stays_private(ada, stranger):
    match = scenes_played(short(ada, "pisti", visibility="private"))
    assert stranger.open(f"/matches/{match.id}?ply=0").status == 404


def test_a_hand_at_a_shared_device_stays_down(ada, at_home):
    match = scenes_played(opened(ada, "me, local Twin"), 3)
    cards = held_by(now(match), 0) | held_by(now(match), 1)
    at_home.open(f"/matches/{match.id}?ply=2")
    assert at_home.status == 200
    assert not shown_cards(at_home) & cards


def test_play_on_from_a_ply(ada, at_home):
    match = scenes_played(short(ada, "pisti"))
    at_home.open(f"/matches/{match.id}?ply=5").press("With the same cards")
    assert at_home.match_id != str(match.id)
    went_on = get_match(at_home.match_id)
    assert went_on.version == 5
    assert went_on.parent_id == match.id


def test_pages_and_programs_load_from_one_allowance(ada, at_home, keyed, rates):
    match = scenes_played(short(ada, "pisti"))
    rates(loads="1/hour")
    asked = {"cards": "same", "version": 5}
    assert post(keyed(ada), f"matches/{match.id}/load", asked).status_code == 201
    at_home.open(f"/matches/{match.id}?ply=5").press("With the same cards")
    assert "You have loaded many saved points." in at_home.text
    assert Match.objects.filter(parent=match.id).count() == 1


def test_the_part_alone_has_no_frame(ada, at_home):
    match = scenes_played(short(ada, "pisti"))
    answer = at_home.client.get(f"/matches/{match.id}?ply=5", headers={"Replay-Part": "1"})
    text = answer.content.decode()
    assert text.lstrip().startswith('<div id="replay"')
    assert "Replay-Part" in answer["Vary"]
    assert "<html" not in text


# The page that shows every deck against its seal; its script is tried in tests/e2e.


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
    match = scenes_played(short(ada, "pazaak"))
    at_home.open(f"/matches/{match.id}/deals")
    assert match.seed.hex() in at_home.page
    steps = steps_on(at_home.page)
    assert [step["k"] for step in steps] == list(range(len(steps)))
    assert at_home.page.count("data-deal=") == len(steps) > 2


def test_the_table_names_its_seal(ada, at_home):
    match = opened(ada, "me, bot greedy")
    at_home.open(f"/matches/{match.id}")
    assert f'data-seal="{match.commitment}"' in at_home.page


# Words to a beginner and the best of a match: of every game, over whole matches.

GAMES = catalog.GAMES


def played(game, plies):
    """Views of the seat to act, and all events as spectators see them."""
    options, shuffle, rng = game.choose_options(), seeded(Random(7)), Random(1)
    step = game.start(options, [Setup(f"p{n}") for n in range(game.seats(options))], shuffle)
    views, events = [], [event.seen_by(None) for event in step.events]
    for _ in range(plies):
        acting = game.to_act(step.state)
        if not acting:
            break
        views.append(game.view(step.state, acting[0]))
        move = rng.choice(game.legal_moves(step.state, acting[0]))
        step = game.play(step.state, acting[0], move, shuffle)
        events += [event.seen_by(None) for event in step.events]
    return views, events


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_game_has_something_to_say(game):
    """The games of the house all do; in another one each of these is a choice."""
    page = page_of(game.slug)
    views, events = played(game, 120)
    if page.hint is not None or game in catalog.OF_THE_HOUSE:
        hints = {str(page.hint(view)) for view in views if page.hint(view) is not None}
        assert hints
        assert not any("{" in words for words in hints)
    if page.moments is not None or game in catalog.OF_THE_HOUSE:
        names = [f"p{n}" for n in range(game.seats(game.choose_options()))]
        assert all(str(words) for words in page.moments(events, names))
    if page.motions is not None or game in catalog.OF_THE_HOUSE:
        assert [motion for event in events for motion in page.motions([event])]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_level_but_the_last_has_a_harder_one(game):
    ladder = levels(game.bots, 1.0)
    for bot in ladder:
        above = harder(game.bots, bot.slug)
        assert (above is None) == (bot.level == ladder[-1].level)
        assert above is None or above.level > bot.level
