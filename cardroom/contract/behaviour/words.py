"""Everything has its words, and they tell no more than what they are about."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cardroom.contract.playing.luck import Luck
from cardroom.contract.playing.sitting import NAMES, encoded, positions
from cardroom.contract.reporting.check import check, require
from cardroom.rules.cards import CARD, pretty
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Event, Move

LONGEST_PHRASE = 40


@check("Every event and every move has its words, and they name no card that is hidden.",
       examples=10)  # fmt: skip
def everything_has_its_words(game: AnyGame, luck: Luck) -> None:
    for sitting, step in positions(game, luck, 80):
        for seat in (*range(len(sitting.setups)), None):
            for event in step.events:
                _hides_what_is_hidden(game, event, event.seen_by(seat))
        for seat in game.to_act(step.state):
            _have_words(game, game.legal_moves(step.state, seat))


def _hides_what_is_hidden(game: AnyGame, event: Event, seen: Event) -> None:
    sentence = str(game.sentence(seen, NAMES))
    require(sentence.strip(), f"{seen} has no words")
    leaked = set(re.findall(r"[\w♣♦♥♠]+", sentence)) & hidden_words(event, seen)
    require(not leaked, f"{sentence!r} names {', '.join(sorted(leaked))}, which {seen} hides")


def hidden_words(event: Event, seen: Event) -> set[str]:
    """The cards, as code and as people write them, that the event has and ``seen`` has not."""
    if event == seen:
        return set()
    codes, shown = (set(re.findall(r'"(\w{2,5})"', encoded(e).decode())) for e in (event, seen))
    hidden = codes - shown
    return hidden | {pretty(code) for code in hidden if code in CARD}


def _have_words(game: AnyGame, moves: Sequence[Move]) -> None:
    for move in moves:
        for spelled in {move, game.public_move(move)}:
            require(str(game.label(spelled)).strip(), f"the move {spelled!r} has no words")


@check("What players say is short, and its slug can be sent.")
def phrases_are_short(game: AnyGame, _luck: Luck) -> None:
    for slug, words in game.phrases.items():
        require(
            re.fullmatch(r"[a-z][a-z0-9_]{0,31}", slug), f"the phrase {slug!r} has no plain slug"
        )
        is_short = 0 < len(str(words)) <= LONGEST_PHRASE
        require(is_short, f"the phrase {slug!r} is no short sentence")


@check("A preset's words stand for a preset.")
def words_stand_for_something(game: AnyGame, _luck: Luck) -> None:
    presets = set(game.presets)
    _known("preset_words", game.preset_words, presets)
    _known("preset_names", game.preset_names, presets)


def _known(fact: str, words: Mapping[str, Any], known: set[str]) -> None:
    unknown = sorted(set(words) - known)
    require(not unknown, f"{fact} speaks of {', '.join(unknown)}, which the game has not")
