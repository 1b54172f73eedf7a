"""The form that opens a match: what is chosen, kept and refused."""

import pytest
from django.db.models import F
from django.urls import reverse

from cardroom.rules import catalog
from cardroom.rules.bot import levels
from games.matches import joining
from games.matches.models import Match, Seat
from games.matches.selectors.access import get_match
from games.matches.selectors.lists import Result, results_against_bots
from games.web.landing import rival_for, suggestion
from tests.admin.test_acts import staff
from tests.matches.scenes import now, opened, played, short
from tests.web.browsing import signed_in


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


# Whom to play next, by the reader's own results.

PISTI = catalog.find("pisti")
LADDER = [bot.slug for bot in levels(PISTI.bots, 1.0)]


def results(bot, outcomes):
    return [Result("pisti", bot, one == "w") for one in outcomes]


@pytest.mark.parametrize(
    ("at", "outcomes", "then"),
    [(0, "", 0), (0, "w", 0), (0, "wlw", 1), (1, "lll", 0), (0, "lll", 0), (1, "wl", 1)],
)
def test_the_rival_follows_the_last_results(at, outcomes, then):
    assert rival_for(PISTI, results(LADDER[at], outcomes)).slug == LADDER[then]


def test_the_landing_page_says_what_to_try():
    sentence = suggestion(PISTI, results(LADDER[0], "wlw"))
    names = [PISTI.bot(slug).name for slug in LADDER]
    assert sentence == f"2 of 3 won against {names[0]}: try {names[1]}"


def test_a_newcomer_meets_the_easiest_computer(stranger):
    stranger.open("/").press("Play Pişti now")
    assert PISTI.bot(LADDER[0]).name in stranger.text


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_the_first_rival_plays_like_a_person(game):
    """Neither at random nor like the programs that are there to be measured."""
    first = rival_for(game, [])
    if game in catalog.OF_THE_HOUSE:
        assert first.slug == ("automaton" if game.slug == "pyanitsa" else "beginner")
    assert first.suggested
    assert "random" in [bot.slug for bot in game.bots]


def test_setting_up_opens_on_the_level_of_the_results(ada, at_home):
    def offered():
        at_home.open("/new?game=pisti")
        form = next(form for form in at_home.forms if form.action == "/new")
        return dict(form.fields)["seat-1-who"]

    assert offered() == "bot:beginner"
    for _ in range(2):
        match = played(short(ada, "pisti", "me, bot beginner"))
        Seat.objects.filter(match_id=match.id).update(place=F("index") + 1)  # the first one won
    assert offered() == "bot:greedy"


def test_a_quick_match_of_shithead_is_the_traditional_one(stranger):
    stranger.open("/").press("Play Shithead against the computer")
    match = get_match(stranger.match_id)
    assert match.options == catalog.find("shithead").presets["traditional"]
    assert [seat.bot for seat in match.seats] == ["", "beginner"]


def test_results_are_those_against_computers(ada):
    played(short(ada, "pisti", f"me, bot {LADDER[0]}"))
    found = results_against_bots(ada.pk, "pisti")
    assert [(one.game, one.bot) for one in found] == [("pisti", LADDER[0])]


# A person at somebody's device goes by any name; everybody else reads whose guest that is.

TOLD = "Cleo (guest of Ada)"


@pytest.fixture
def match(ada, ben, cleo):
    waiting = opened(ada, "me, local Cleo, open", options={"players": 3}, visibility="public")
    return joining.join(match_id=waiting.id, user=ben)


def test_others_read_whose_guest_it_is(match, ada, ben, stranger):
    for browser in (signed_in(ben), stranger):
        assert TOLD in browser.open(f"/matches/{match.id}").text
    host = signed_in(ada).open(f"/matches/{match.id}").text
    assert "Cleo" in host
    assert "guest of" not in host


def test_in_the_readers_language(match, stranger):
    page = stranger.client.get(f"/matches/{match.id}", headers={"Accept-Language": "tr"})
    assert "Cleo (Ada kişisinin konuğu)" in page.content.decode()


def test_in_the_lobby(ada, cleo, stranger):
    opened(ada, "me, local Cleo, open", options={"players": 3}, visibility="public")
    assert TOLD in stranger.open("/lobby").text
    host = signed_in(ada).open("/lobby").text
    assert "Cleo" in host
    assert "guest of" not in host


def test_a_guest_is_not_the_host_of_the_table(ada, stranger):
    opened(ada, "local Cleo, me, open", options={"players": 3}, visibility="public")
    text = stranger.open("/lobby").text
    assert "with Ada" in text
    assert "with Cleo" not in text


def test_a_host_without_a_seat_is_not_named(ada, ben):
    match = opened(ada, "local Cleo, local Dora")
    assert "Cleo (guest)" in signed_in(ben).open(f"/matches/{match.id}").text


def test_operators_read_it(match, ada):
    browser = staff("referee")
    for page in (
        reverse("admin:games_match_changelist"),
        reverse("admin:games_match_change", args=[match.id]),
    ):
        assert TOLD in browser.get(page).content.decode()
    person = browser.get(reverse("admin:operations_person_change", args=[ada.pk]))
    assert "a guest of theirs" in person.content.decode()


def test_programs_and_records_read_the_name(match, second):
    seats = second.get(f"/api/v1/matches/{match.id}").json()["seats"]
    assert [(seat["kind"], seat["name"]) for seat in seats][1] == ("local", "Cleo")
    assert Seat.objects.get(match=match.id, index=1).name == now(match).seats[1].name == "Cleo"
