"""Phrases said at a table, in a reader's words: for the streams of both doors."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Literal

import msgspec
from django.utils.translation import get_language, override

from cardroom.rules.game import AnyGame
from games.language import words
from games.phrases.models import Saying
from games.phrases.speaking import find


class SaidMessage(msgspec.Struct, frozen=True):
    """Somebody said something at the table; ``text`` is it in the reader's language.

    ``picture`` is a sign, whose name is the text; empty for a sentence.
    """

    type: Literal["said"]
    seat: int
    phrase: str
    text: str
    picture: str
    at: datetime


def messages_for_reader(game: AnyGame) -> Callable[[Sequence[Saying]], list[bytes]]:
    """Renders what was said in the language of a request that will have ended."""
    language = get_language() or "en"

    def render(rows: Sequence[Saying]) -> list[bytes]:
        with override(language):
            sent = [_message(row, game) for row in rows]
        return [encode(message) for message in sent if message is not None]

    return render


def _message(row: Saying, game: AnyGame) -> SaidMessage | None:
    """None for a phrase that the game has no more."""
    offered = find(game, row.phrase)
    if offered is None:
        return None
    text = words(offered.words)
    return SaidMessage("said", row.seat, row.phrase, text, offered.picture, row.at)


encode = msgspec.json.Encoder().encode
