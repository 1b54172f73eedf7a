"""Who plays in a simulation: bots, and side decks that are compared with the same bot."""

import sys

import msgspec
import pytest

from cardroom.arena import reports
from cardroom.arena.players import (
    allowed_values,
    choose_options,
    entrants,
    find_bot,
    find_game,
    read_pairs,
    rotations,
    seat_names,
)
from cardroom.arena.reports import summarize
from cardroom.arena.request import Part, SimulationRequest, describe, run_part, run_timed
from cardroom.arena.statistics import BadRequest
from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.pazaak.side_cards import SINGLES, STARTER, reference_deck
from tests.arena.toy import HIGH, LOW, TOY, ToyOptions

GOOD = reference_deck("full")


def seatings(bots, side_decks=()):
    return [
        " ".join(each.name for each in seating) for seating in rotations(entrants(bots, side_decks))
    ]


def asked(*side_decks):
    return describe("pazaak", bots=["gambler"], games=40, swap=True, side_decks=side_decks)


def test_rotations_are_the_different_seatings():
    assert seatings((HIGH, LOW)) == ["high low", "low high"]
    assert seatings((HIGH, LOW, LOW)) == ["high low low", "low low high", "low high low"]
    assert seatings((HIGH, LOW, HIGH, LOW)) == ["high low high low", "low high low high"]
    assert seatings((LOW, LOW)) == ["low low"]


def test_with_side_decks_every_seat_is_an_entrant_of_its_own():
    assert seatings((LOW, LOW), (GOOD, STARTER)) == ["low 1 low 2", "low 2 low 1"]
    assert seatings((HIGH, LOW), (GOOD, STARTER)) == ["high low", "low high"]


def test_a_better_side_deck_wins_more_often_with_the_same_bot():
    request = asked(STARTER, GOOD)
    found = summarize(request, run_part(request, Part(0, 40))).bots
    assert [each.bot for each in found] == ["gambler 1", "gambler 2"]
    assert sum(each.won for each in found) == 40
    assert found[0].wins.high < 0.5 < found[1].wins.low


def test_a_deck_against_itself_is_even_as_seats_are_swapped():
    request = asked(GOOD, GOOD)
    assert {tally.won for tally in run_part(request, Part(0, 40)).bots.values()} == {20}


def test_clocks_are_kept_by_entrant():
    figures, clocks = run_timed(asked(STARTER, GOOD), Part(0, 2))
    assert clocks.keys() == figures.bots.keys() == {"gambler 1", "gambler 2"}
    assert all(clock.moves for clock in clocks.values())


def test_side_decks_are_in_the_json_only_when_given():
    bare, given = describe("pazaak"), asked(STARTER, GOOD)
    assert b"side_decks" not in msgspec.json.encode(bare)
    assert msgspec.json.decode(msgspec.json.encode(given), type=SimulationRequest) == given
    assert msgspec.json.decode(msgspec.json.encode(given))["side_decks"] == [[*STARTER], [*GOOD]]


@pytest.mark.parametrize(
    ("game", "decks", "fault"),
    [
        ("pazaak", (STARTER[:9], GOOD), "exactly 10 cards; this one has 9"),
        ("pazaak", (STARTER,), "1 side decks are given for 2 seats"),
        ("pisti", (STARTER, GOOD), "Pişti is played without side decks"),
    ],
)
def test_side_decks_that_cannot_be_played_are_refused(game, decks, fault):
    with pytest.raises(BadRequest, match=fault):
        describe(game, side_decks=decks)


def test_a_side_deck_must_fit_the_options():
    with pytest.raises(BadRequest, match="is in the deck 2 times; 1 allowed"):
        describe("pazaak", values={"max_copies": 1}, side_decks=(SINGLES, STARTER))


@pytest.fixture
def my_bots(tmp_path, monkeypatch):
    """A strategy author's own module on the Python path."""
    (tmp_path / "my_bots.py").write_text(
        "from cardroom.rules.bot import Bot\n"
        "def clever(view, events, rng): return max(view.legal_moves, key=int)\n"
        "quick = Bot('quick', 'Quick', '', 1, clever)\n"
        "answer = 42\n"
    )
    (tmp_path / "broken_bots.py").write_text("import no_such_library\n")
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop("my_bots", None)  # an example of the documents is called so, too
    yield
    sys.modules.pop("my_bots", None)


def test_an_unknown_game_names_those_there_are(toy):
    assert find_game("toy") is TOY
    with pytest.raises(BadRequest, match=r"no game 'chess'; there are: .*toy\."):
        find_game("chess")


def test_an_unknown_bot_names_those_there_are():
    assert find_bot(TOY, "high") is HIGH
    with pytest.raises(BadRequest, match=r"Toy has no bot 'deep'; there are: random, low, high\."):
        find_bot(TOY, "deep")


def test_an_own_function_is_a_bot_that_is_told_the_whole_match(my_bots):
    bot = find_bot(TOY, "my_bots:clever", custom=True)
    assert (bot.slug, bot.remembers, bot.rated) == ("my_bots:clever", "match", False)


def test_an_own_bot_says_itself_what_it_remembers(my_bots):
    bot = find_bot(TOY, "my_bots:quick", custom=True)
    assert (bot.slug, bot.remembers) == ("my_bots:quick", "nothing")


def test_a_dotted_path_is_just_an_unknown_name_where_it_is_not_allowed(my_bots):
    with pytest.raises(BadRequest, match="no bot 'my_bots:clever'"):
        find_bot(TOY, "my_bots:clever")
    assert "my_bots" not in sys.modules


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("no_bots:clever", "no module 'no_bots'"),
        ("my_bots:stupid", "Module 'my_bots' has no 'stupid'"),
        ("my_bots:answer", "'my_bots:answer' is neither a Bot nor a function"),
    ],
)
def test_a_wrong_path_says_what_is_missing(my_bots, path, fault):
    with pytest.raises(BadRequest, match=fault):
        find_bot(TOY, path, custom=True)


def test_what_breaks_inside_the_own_module_is_shown_as_it_is(my_bots):
    with pytest.raises(ModuleNotFoundError, match="no_such_library"):
        find_bot(TOY, "broken_bots:clever", custom=True)


ALONE = ((0,), (1,), (2,), (3,))
TEAMS = ((0, 2), (1, 3))


def test_the_last_bot_takes_the_seats_that_are_left():
    assert seat_names(["a", "b"], ALONE) == ("a", "b", "b", "b")
    assert seat_names(["a", "b"], ALONE[:2]) == ("a", "b")
    for names in ([], ["a", "b", "c"]):
        with pytest.raises(BadRequest, match=f"{len(names)} bots are named for 2 seats"):
            seat_names(names, ALONE[:2])


def test_in_teams_a_name_stands_for_a_side_unless_there_are_more_names():
    assert seat_names(["a", "b"], TEAMS) == ("a", "b", "a", "b")
    assert seat_names(["a"], TEAMS) == ("a", "a", "a", "a")
    assert seat_names(["a", "b", "c"], TEAMS) == ("a", "b", "c", "c")


def test_options_are_read_as_json_or_as_a_word():
    pairs = ["players=4", "teams=true", "target=null", "colour=red", " max_rounds = 7 "]
    assert read_pairs(pairs) == {
        "players": 4, "teams": True, "target": None, "colour": "red", "max_rounds": 7,
    }  # fmt: skip


@pytest.mark.parametrize("pair", ["players", "=4", ""])
def test_an_option_without_a_name_or_value_is_refused(pair):
    with pytest.raises(BadRequest, match="name=value"):
        read_pairs([pair])


def test_options_lie_over_the_preset():
    chosen = choose_options(TOY, {"colour": "blue"}, "three")
    assert chosen == ToyOptions(players=3, colour="blue")


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"size": 3}, r"Toy has no option 'size'; there are: players, target, .*teams\."),
        ({"players": 9}, r"players is 2 to 6\."),
        ({"players": "many"}, r"players is 2 to 6\."),
        ({"colour": "green"}, r"colour is one of (red, blue|blue, red)\."),
        ({"target": 0}, r"target is a whole number from 1 up or null\."),
        ({"teams": "yes"}, r"teams is true or false\."),
        ({"teams": True}, r"^Teams need four players\.$"),
    ],
)
def test_a_wrong_option_names_what_is_allowed(values, fault):
    with pytest.raises(BadRequest, match=fault):
        choose_options(TOY, values)


def test_an_unknown_preset_names_those_there_are():
    with pytest.raises(BadRequest, match="there are: three"):
        choose_options(TOY, {}, "four")


def test_allowed_values_are_said_in_words():
    assert allowed_values(ToyOptions, "max_rounds") == "1 to 99"


def test_a_bot_found_by_name_is_the_games_own():
    assert isinstance(find_bot(TOY, "low"), Bot)
    assert find_bot(TOY, "low") is LOW


@pytest.mark.parametrize(
    ("name", "custom", "playouts"),
    [
        ("searcher@10ms", False, 450),
        ("searcher:playouts=70", False, 70),
        ("searcher@9000ms", True, 405_000),
        ("mc:playouts=9", True, 9),
    ],
)
def test_a_name_may_add_a_budget(name, custom, playouts):
    bot = find_bot(find_game("pisti"), name, custom=custom)
    assert (bot.slug, bot.choose.playouts, bot.rated) == (name, playouts, False)


@pytest.mark.parametrize("name", ["searcher@9000ms", "mc", "counter@10ms", "searcher@ten"])
def test_who_is_not_at_the_command_line_has_bounds(name):
    with pytest.raises(BadRequest, match="there are: beginner, greedy, counter, searcher, random"):
        find_bot(find_game("pisti"), name)


# Forecasts of options before anybody plays by them.


def tried(slug, looks=10**6, **values):
    game, asked = catalog.find(slug), iter(range(10**9))
    return reports.forecast(game, game.choose_options(values), lambda: next(asked) >= looks)


def test_matches_that_never_end_are_counted(monkeypatch):
    monkeypatch.setattr(reports, "MATCHES", 25)
    endless = tried("pyanitsa", leader="fixed", max_tricks=200)
    assert endless.matches == 25
    assert endless.endless > 0.5
    assert endless.plies <= 2 * 200 * 2
    assert tried("pyanitsa", max_tricks=200, goal="giveaway").endless < endless.endless


def test_ties_and_the_first_seat_share_all_matches(monkeypatch):
    monkeypatch.setattr(reports, "MATCHES", 50)
    found = tried("pazaak", max_rounds=1)
    assert found.ties > 0
    assert 0 < found.first <= 1 - found.ties
    assert found.edge in (-1, 0, 1)


def test_what_cannot_be_found_out_in_time_is_not_said():
    assert tried("shithead", looks=0) == reports.Forecast()


def test_every_game_has_a_bot_for_it():
    bots = {game.slug: reports._bot(game, None).slug for game in catalog.GAMES}
    assert bots.keys() == {game.slug for game in catalog.GAMES}
