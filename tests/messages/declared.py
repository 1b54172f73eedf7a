"""Messages that classes and games declare: doors translate them by their English text."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Final

import msgspec
from django.utils.translation import override
from msgspec import inspect

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.state_fields import fields_of, item_type
from config.api.scopes import MEANING
from config.refusals import Refusal
from games.api.text import SHOWN_ELSEWHERE
from games.templatetags.cards import SPOKEN
from games.web.parts.options_form import option_fields
from tests.messages.sources import APPS, NOT_FOR_READERS, ROOT, Message

HAS_LETTERS: Final = re.compile(r"[^\W\d_]")
# Words of stored values, as a page or a plain text tells them.
STORED: Final = (
    *("open", "active", "running", "finished", "aborted", "cancelled", "failed"),
    *("target", "deal", "rounds", "limit", "games", "all cards", "gave away"),
    *("resigned", "timeout"),
    *("waiting", "paired", "ended", "withdrawn", "lapsed", "refused"),  # a seek
    *("accepted", "declined", "expired"),  # a challenge
)


def declared_messages() -> Iterator[tuple[Message, str]]:
    with override(None):
        for refusal in refusal_classes():
            if not NOT_FOR_READERS.search(f"/{refusal.__module__.replace('.', '/')}.py"):
                yield from ((text, refusal.__module__) for text in _said_by(refusal))
        for game in catalog.OF_THE_HOUSE:  # others bring their own catalogues
            place = f"cardroom/rules/{game.slug}"
            yield from ((message, place) for message in messages_of(game))
        yield from ((Message(text), "games/templatetags/cards.py") for text in SPOKEN.values())
        yield from ((Message(text), "games/matches/models.py") for text in STORED)
        yield from ((Message(text), "config/api/scopes.py") for text in MEANING.values())


def messages_of(game: AnyGame) -> Iterator[Message]:
    """The messages of a game that are plain English strings."""
    yield from map(Message, filter(HAS_LETTERS.search, _facts(game)))


DECLARES: Final = re.compile(r"^class \w+\((?:Refusal|NotFound|NotAllowed)\b", re.MULTILINE)


def refusal_classes() -> Iterator[type[Refusal]]:
    for app in APPS:
        package = importlib.import_module(app)
        for module in pkgutil.walk_packages(package.__path__, f"{app}."):
            file = ROOT / f"{module.name.replace('.', '/')}.py"
            declares = file.is_file() and DECLARES.search(file.read_text("utf-8"))
            if declares or module.name.endswith("refusals"):
                importlib.import_module(module.name)
    yield from _below(Refusal)


def _below(refusal: type[Refusal]) -> Iterator[type[Refusal]]:
    for each in refusal.__subclasses__():
        yield each
        yield from _below(each)


def _said_by(refusal: type[Refusal]) -> Iterator[Message]:
    """Its sentence; one whose faults are told instead has a docstring for programmers."""
    if "``" not in refusal.sentence():
        yield Message(refusal.sentence())


def _facts(game: AnyGame) -> Iterator[str]:
    yield game.name
    yield game.summary
    yield from (text for bot in game.bots for text in (bot.name, bot.summary))
    yield from (measure.name for measure in game.measures)
    yield from (name.replace("_", " ") for name in game.presets)
    yield from (name.replace("_", " ") for name in _names_in(game.view_type))
    for _, field in option_fields(game):
        yield str(field.label)
        yield str(field.help_text)
        yield from (str(words) for _, words in getattr(field, "choices", ()))


def _names_in(view: type[msgspec.Struct]) -> Iterator[str]:
    """The fields of a view, and of the structs in its lists."""
    for name, kind in fields_of(view).items():
        if name not in SHOWN_ELSEWHERE:
            yield name
            inner = item_type(kind, 0)
            if isinstance(inner, inspect.StructType):
                yield from fields_of(inner.cls)
