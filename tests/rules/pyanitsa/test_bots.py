"""The bots: they flip, and where there is a choice each collects in its own way."""

from random import Random

import pytest

from cardroom.rules.pyanitsa import GAME as PYANITSA
from cardroom.rules.shuffles import seeded
from tests.rules.pyanitsa.scene import scene, trick


def trick_to_collect(**options):
    piles = ("8C 7D QD 6C", "8S AH TD 6H")
    state, _ = trick(scene(*piles, dispute="mortgage", collect_order="arbitrary", **options))
    return PYANITSA.view(state, 0)


def choose(slug, view, seed=1):
    return PYANITSA.bot(slug).choose(view, (), Random(seed))


def test_the_automaton_collects_as_laid():
    assert choose("automaton", trick_to_collect()) == "collect 8C 8S 7D QD AH TD"


def test_the_hoarder_puts_the_high_cards_first():
    assert choose("hoarder", trick_to_collect()) == "collect AH QD TD 8C 8S 7D"


def test_the_shuffler_mixes():
    moves = {choose("shuffler", trick_to_collect(), seed) for seed in range(40)}
    assert len(moves) > 20
    assert {tuple(sorted(move.split())) for move in moves} == {
        tuple(sorted(["collect", "8C", "8S", "7D", "QD", "AH", "TD"]))
    }


@pytest.mark.parametrize("slug", [bot.slug for bot in PYANITSA.bots])
def test_every_bot_flips_when_there_is_nothing_to_choose(slug):
    view = PYANITSA.view(scene("KC 7C", "9D 8D"), 0)
    assert choose(slug, view) == "flip"


@pytest.mark.parametrize("slug", [bot.slug for bot in PYANITSA.bots])
def test_every_bot_plays_a_whole_match(slug):
    options = PYANITSA.choose_options(
        {"players": 3, "collect_order": "arbitrary", "dispute": "mortgage", "max_tricks": 150}
    )
    rng = Random(7)
    shuffle = seeded(rng)
    state = PYANITSA.start(options, (), shuffle).state
    while acting := PYANITSA.to_act(state):
        move = PYANITSA.bot(slug).choose(PYANITSA.view(state, acting[0]), (), rng)
        state = PYANITSA.play(state, acting[0], move, shuffle).state
    assert PYANITSA.outcome(state) is not None


def test_the_stand_in_is_one_of_the_bots():
    assert PYANITSA.bot(PYANITSA.stand_in).slug == "automaton"
