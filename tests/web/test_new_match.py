"""The form that opens a match: what is chosen, kept and refused."""

import pytest

from cardroom.rules import catalog
from games.matches.models import Match
from games.matches.selectors.access import get_match


def fields(browser):
    form = next(form for form in browser.forms if form.action == "/new")
    return dict(form.fields)


@pytest.mark.parametrize("slug", [game.slug for game in catalog.GAMES])
def test_every_game_starts_from_its_form_as_it_comes(stranger, slug):
    stranger.open(f"/new?game={slug}").press("Start")
    assert stranger.status == 200
    match = get_match(stranger.match_id)
    assert match.game == slug
    assert match.options == catalog.find(slug).options()


@pytest.mark.parametrize(
    ("slug", "preset"), [(game.slug, name) for game in catalog.GAMES for name in game.presets]
)
def test_every_preset_starts_from_its_form(stranger, slug, preset):
    stranger.open(f"/new?game={slug}&preset={preset}").press("Start")
    match = get_match(stranger.match_id)
    assert match.options == catalog.find(slug).presets[preset]


def test_what_was_typed_is_kept_when_the_number_of_players_changes(stranger):
    stranger.open("/new").press(
        "Update",
        players="3",
        target_score="77",
        visibility="private",
        turn_seconds="120",
        on_timeout="bot_move",
        **{"seat-1-who": "local", "seat-1-name": "Ömer"},
    )
    typed = fields(stranger)
    assert (typed["target_score"], typed["players"]) == ("77", "3")
    assert (typed["seat-1-who"], typed["seat-1-name"]) == ("local", "Ömer")
    assert typed["seat-2-who"].startswith("bot:")
    assert (typed["visibility"], typed["turn_seconds"]) == ("private", "120")
    assert typed["on_timeout"] == "bot_move"
    assert not Match.objects.exists()


def test_another_game_brings_its_own_options_and_computers(stranger):
    stranger.open("/new").press("Update", game="pazaak")
    typed = fields(stranger)
    assert typed["rounds_to_win"] == "2"
    assert "target_score" not in typed
    assert typed["seat-1-who"] == "bot:beginner"


def test_start_after_changing_the_game_shows_its_form_first(stranger):
    """Without JavaScript the options on the page are still the other game's."""
    stranger.open("/new").press("Start", game="shithead")
    assert not Match.objects.exists()
    assert fields(stranger)["shown_game"] == "shithead"


def test_a_preset_brings_its_players(stranger):
    stranger.open("/new?game=pisti&preset=partnership")
    assert "seat-3-who" in fields(stranger)


def test_a_link_names_options(stranger):
    stranger.open("/new?game=pisti&players=4&target_score=77")
    typed = fields(stranger)
    assert "seat-3-who" in typed
    assert (typed["players"], typed["target_score"]) == ("4", "77")
    stranger.press("Start")
    assert get_match(stranger.match_id).options.players == 4


def test_another_game_does_not_take_the_number_of_players(stranger):
    stranger.open("/new?game=pisti&players=4").press("Update", game="shithead")
    assert fields(stranger)["players"] == str(catalog.find("shithead").options().players)


def test_options_that_contradict_are_refused_with_everything_kept(stranger):
    stranger.open("/new").press("Start", teams="on", target_score="55")
    assert stranger.status == 422
    assert "Two against two needs four players, not" in stranger.text
    typed = fields(stranger)
    assert (typed["teams"], typed["target_score"]) == ("on", "55")
    assert not Match.objects.exists()


@pytest.mark.parametrize("said", ["0", "x", "99999999999999999999"])
def test_a_wrong_option_is_marked_where_it_stands(stranger, said):
    stranger.open("/new").press("Start", target_score=said)
    assert stranger.status == 422
    assert 'class="errorlist"' in stranger.page
    assert fields(stranger)["target_score"] == said


def test_an_unknown_player_is_named(stranger):
    stranger.open("/new").press("Start", **{"seat-1-who": "user", "seat-1-name": "Nobody"})
    assert stranger.status == 422
    assert "Nobody" in stranger.page
    assert not Match.objects.exists()


@pytest.mark.parametrize("players", ["99999", "-3", "zwei", ""])
def test_no_number_of_players_breaks_the_form(stranger, players):
    assert stranger.open(f"/new?shown_game=pisti&players={players}").status == 200
    assert stranger.open("/new").press("Start", players=players).status == 422
    assert not Match.objects.exists()


def test_an_unknown_game_is_not_there(stranger):
    assert stranger.open("/new?game=bridge").status == 404


def test_a_match_at_one_device(stranger):
    stranger.open("/new").press(
        "Start", **{"seat-1-who": "local", "seat-1-name": "Ann"}, visibility="private"
    )
    match = get_match(stranger.match_id)
    assert [seat.kind for seat in match.seats] == ["user", "local"]
    assert match.visibility == "private"
