"""The sentences and signs that people choose from; a game adds its own (``Game.phrases``).

The slugs are stored and sent, so they stay.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from cardroom.rules.game import AnyGame
from cardroom.rules.text import Phrase, Words, say

SENTENCES: Final[Mapping[str, Phrase]] = {
    "hello": say("Hello!"),
    "good_luck": say("Good luck!"),
    "have_fun": say("Have fun!"),
    "thank_you": say("Thank you!"),
    "one_moment": say("One moment, please."),
    "here_again": say("I am here again."),
    "let_me_think": say("Let me think."),
    "take_your_time": say("Take your time."),
    "faster": say("Shall we play faster?"),
    "nice_move": say("Nice move!"),
    "well_played": say("Well played!"),
    "lucky": say("That was lucky!"),
    "bad_luck": say("Bad luck!"),
    "oops": say("Oops!"),
    "not_seen": say("I did not see that coming."),
    "close": say("That was close!"),
    "not_over": say("It is not over yet."),
    "good_game": say("Good game!"),
    "once_more": say("Once more?"),
    "goodbye": say("Goodbye!"),
}


class Sign(NamedTuple):
    """A picture, and what it is called where it cannot be seen."""

    picture: str
    name: Phrase


SIGNS: Final[Mapping[str, Sign]] = {
    "thumbs_up": Sign("👍", say("Thumbs up")),
    "applause": Sign("👏", say("Applause")),
    "smile": Sign("🙂", say("A smile")),
    "astonished": Sign("😮", say("Astonished")),
    "tears": Sign("😢", say("Tears")),
    "coffee": Sign("☕", say("A cup of coffee")),
}


class Offered(NamedTuple):
    """A sentence or a sign that may be said: ``picture`` is empty for a sentence."""

    slug: str
    words: Words
    picture: str


@cache
def offered_at(game: AnyGame) -> list[Offered]:
    """What may be said at a table of the game: its own sentences first, signs last."""
    sentences = {**game.phrases, **SENTENCES}
    signs = [Offered(slug, sign.name, sign.picture) for slug, sign in SIGNS.items()]
    return [*(Offered(slug, words, "") for slug, words in sentences.items()), *signs]


def find(game: AnyGame, slug: str) -> Offered | None:
    return next((one for one in offered_at(game) if one.slug == slug), None)
