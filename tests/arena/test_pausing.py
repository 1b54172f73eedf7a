"""A match that stops between moves and goes on elsewhere ends as it would have."""

import msgspec
import pytest

from cardroom.arena.request import Part, PausedPart, describe, run_part, run_part_until
from cardroom.rules import catalog


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
@pytest.mark.parametrize("every", [1, 7])
def test_the_figures_are_those_of_the_whole(game, every):
    bots = [bot.slug for bot in game.bots if bot.cost == "quick"]
    quick = sorted(bots, key=lambda slug: game.bot(slug).remembers != "nothing")[-2:]
    shorter = {
        "shithead": {"games": 2, "players": 3, "max_turns": 30},
        "pyanitsa": {"max_tricks": 30},
    }
    request = describe(game.slug, values=shorter.get(game.slug), bots=quick, games=3, seed=5)
    part, paused, pauses, asked = Part(1, 2), None, 0, 0

    def stop():
        nonlocal asked
        asked += 1
        return asked % (every + 1) == 0

    while isinstance(found := run_part_until(request, part, stop, paused), PausedPart):
        paused = msgspec.json.decode(msgspec.json.encode(found), type=PausedPart)
        pauses += 1
    assert pauses > 3
    assert msgspec.json.encode(found) == msgspec.json.encode(run_part(request, part))


def test_every_turn_of_a_worker_plays_a_move_at_least():
    request = describe("pisti", games=4)
    paused = run_part_until(request, Part(0, 4), lambda: True)
    assert (paused.done, paused.match.match.plies, paused.figures.matches) == (0, 1, 0)
