"""Learn: a guided hand of each game, by links and forms; and what *Play now* opens."""

from html import unescape

import pytest

from cardroom.rules import catalog
from cardroom.rules.lesson import LEARNER, lesson_positions
from games.language import words
from games.matches.models import Match
from games.matches.selectors.access import get_match
from tests.matches.scenes import played

pytestmark = pytest.mark.django_db
HOUSE = pytest.mark.parametrize("game", catalog.OF_THE_HOUSE, ids=lambda game: game.slug)


def shown(client, game):
    return client.get(f"/learn/{game.slug}").content.decode()


def sent(client, game, number, move):
    return client.post(f"/learn/{game.slug}", {"step": number, "move": move.split()})


@HOUSE
def test_a_lesson_is_played_from_its_first_thought_to_its_end(client, game):
    for number, step in enumerate(game.lesson.steps):
        page = shown(client, game)
        assert words(step.words) in unescape(page)
        assert 'aria-live="polite"' in page
        assert f"step {number + 1} of {len(game.lesson.steps)}" in page
        assert sent(client, game, number, step.move).status_code == 302
    page = shown(client, game)
    assert words(game.lesson.end) in unescape(page)
    assert "Now play yourself" in page
    assert not Match.objects.exists()


@HOUSE
def test_every_asked_move_can_be_pressed_or_ticked(client, game):
    for number, step in enumerate(game.lesson.steps):
        page = shown(client, game)
        first = step.move if f'value="{step.move}"' in page else step.move.split()[-1]
        assert f'value="{first}"' in page, step.move
        sent(client, game, number, step.move)


@HOUSE
def test_another_move_is_explained_by_the_rule_and_changes_nothing(client, game):
    every = zip(lesson_positions(game, game.lesson), game.lesson.steps, strict=False)
    for position, step in every:
        others = set(game.legal_moves(position.state, LEARNER)) - {step.move}
        for move in [*sorted(others)[:2], "nonsense", ""]:
            refused = sent(client, game, position.number, move)
            assert refused.status_code == 422
            assert words(step.wrong) in unescape(refused.content.decode())
        sent(client, game, position.number, step.move)


def test_a_lesson_is_continued_where_it_was_left_and_can_begin_again(client):
    game = catalog.find("pisti")
    first = game.lesson.steps[0]
    sent(client, game, 0, first.move)
    assert "step 2 of 4" in shown(client, game)
    assert sent(client, game, 0, first.move).status_code == 302, "a press that came twice"
    assert "step 2 of 4" in shown(client, game)
    client.post("/learn/pisti", {"again": "1"})
    assert "step 1 of 4" in shown(client, game)


def test_a_lesson_tells_nothing_of_the_other_hand(client):
    """The rival's cards of the sealed deal are nowhere in the page."""
    page = shown(client, catalog.find("pisti"))
    assert 'data-card="QD"' not in page
    assert 'data-card="AS"' not in page


def test_there_is_no_lesson_of_what_is_no_game(client):
    assert client.get("/learn/bridge").status_code == 404


@HOUSE
def test_after_it_one_plays_the_easiest_computer_with_hints(client, game):
    table = client.post(f"/learn/{game.slug}/play")["Location"]
    assert client.get(table).status_code == 200
    match = Match.objects.get()
    assert not match.rated
    assert match.coached == (game.slug != "pyanitsa")


@pytest.mark.parametrize("path", ["/", "/new?game=pisti"])
def test_lessons_are_offered(client, path):
    assert 'href="/learn/pisti"' in client.get(path).content.decode()


def test_a_lesson_is_offered_at_a_first_match(client):
    table = client.post("/play/pisti")["Location"]
    assert 'href="/learn/pisti"' in client.get(table).content.decode()


# Play now: what ends within three minutes.

MOST_PLIES = {"pisti": 60, "pazaak": 60, "shithead": 400, "pyanitsa": 400}


@HOUSE
def test_play_now_ends_soon_says_so_and_offers_the_whole_match(client, game):
    assert words(game.short_words) in unescape(client.get("/").content.decode())
    table = client.post(f"/play/{game.slug}")["Location"]
    match = Match.objects.get()
    assert get_match(match.id).options == game.choose_options(game.short, game.quick_preset)
    ended = played(get_match(match.id))
    assert ended.version <= MOST_PLIES[game.slug]
    offers = "Play a whole match" in client.get(table).content.decode()
    assert offers == bool(game.short)


def test_the_whole_match_is_the_game_to_its_full_length(client):
    client.post("/play/pisti", {"whole": "1"})
    match = get_match(Match.objects.get().id)
    assert match.options.target_score == 151
