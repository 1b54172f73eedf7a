"""Words to a beginner and the best of a match: of every game, over whole matches."""

from random import Random

import pytest

from cardroom.rules import catalog
from cardroom.rules.bot import harder, levels
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Setup
from games.web.tables import page_of

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
