"""The messages in the package of an outside game that the house does not have."""

from collections.abc import Iterator
from pathlib import Path

from cardroom.rules.outside import Admitted
from tests.messages import catalogs
from tests.messages.declared import messages_of
from tests.messages.sources import Message, python_messages, template_messages


def messages_of_package(package: Admitted, house: Path) -> dict[Message, str]:
    known = catalogs.read(catalogs.LANGUAGES[0], house)
    found: dict[Message, str] = {}
    for message, place in _messages(package):
        if known.get(message.text) is None:
            found.setdefault(message, place)
    return found


def _messages(package: Admitted) -> Iterator[tuple[Message, str]]:
    readers = {".py": python_messages, ".html": template_messages}
    for path in sorted(package.folder.rglob("*")):
        place = path.relative_to(package.folder).as_posix()
        if path.suffix in readers and not place.startswith("tests/"):
            for message in readers[path.suffix](path.read_text("utf-8")):
                yield message, place
    yield from ((message, "__init__.py") for message in messages_of(package.game))
