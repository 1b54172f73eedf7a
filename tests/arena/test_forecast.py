"""What is said of options before anybody plays by them."""

from cardroom.arena import reports
from cardroom.rules import catalog


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
