"""`make messages`: brings the catalogues up to date with the sources and compiles them.

``python -m tests.messages FOLDER`` does so for the package of a game in this folder.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from tests.messages.sources import Message

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("CARDROOM_ONE_MACHINE", "1")
for name in ("SECRET_KEY", "DATABASE_URL", "VALKEY_URL"):  # nothing is connected
    os.environ.setdefault(
        name, "redis://nowhere" if name == "VALKEY_URL" else "postgres://nowhere/x"
    )


def of_package(folder: Path) -> None:
    """The catalogues of a game from outside, with what those of the house do not say already."""
    from cardroom.rules import outside
    from games.newgame.scaffold import announce

    with TemporaryDirectory() as beside:
        announce(folder, Path(beside))
        sys.path[:0] = [beside, str(folder.resolve())]
        os.environ[outside.SWITCH] = "1"
        django.setup()
        from cardroom.rules import catalog
        from tests.messages import catalogs
        from tests.messages.packages import messages_of_package

        for one in catalog.INSTALLED:
            if one.folder.is_relative_to(folder.resolve()):
                update(messages_of_package(one, catalogs.LOCALE), one.folder / "locale")


def main() -> None:
    django.setup()
    from tests.messages import catalogs
    from tests.messages.sources import all_messages

    update(all_messages(), catalogs.LOCALE)


def update(messages: "dict[Message, str]", locale: Path) -> None:
    from tests.messages import catalogs

    for language in catalogs.LANGUAGES:
        catalog = catalogs.updated(language, messages, locale)
        catalogs.write(language, catalog, locale)
        left = catalogs.missing(catalog, messages)
        print(f"{language}: {len(messages)} messages, {len(left)} not translated")


if __name__ == "__main__":
    of_package(Path(sys.argv[1])) if sys.argv[1:] else main()
