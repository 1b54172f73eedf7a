"""Reads and writes the catalogues in ``config/locale``: a text file and its compiled form."""

import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from tests.messages.sources import ROOT, Message

LANGUAGES: Final = ("tr", "ru", "cs")
LOCALE: Final = ROOT / "config" / "locale"
PLURALS: Final = {
    "tr": "nplurals=1; plural=0;",
    "ru": "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : "
    "n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
    "cs": "nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;",
}


def po_file(language: str, locale: Path = LOCALE) -> Path:
    return locale / language / "LC_MESSAGES" / "django.po"


def read(language: str, locale: Path = LOCALE) -> Catalog:
    path = po_file(language, locale)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def updated(language: str, messages: Mapping[Message, str], locale: Path = LOCALE) -> Catalog:
    """The catalogue with exactly these messages; what was translated stays translated."""
    known, fresh = read(language, locale), Catalog(locale=language, charset="utf-8")
    headers = [("Language", language), ("Plural-Forms", PLURALS[language])]
    fresh.mime_headers = [*headers, ("Content-Type", "text/plain; charset=utf-8")]
    for message, place in sorted(messages.items(), key=lambda item: (item[1], item[0])):
        before = known.get(message.text)
        texts = (
            before.string if before and bool(before.pluralizable) == bool(message.plural) else ""
        )
        msgid = (message.text, message.plural) if message.plural else message.text
        fresh.add(msgid, texts or _nothing(language, message), locations=[(place, None)])
    return fresh


def missing(catalog: Catalog, messages: Iterable[Message]) -> list[Message]:
    """The messages that the catalogue does not translate, or marks as fuzzy."""
    return [message for message in messages if not _is_translated(catalog, message)]


def write(language: str, catalog: Catalog, locale: Path = LOCALE) -> None:
    path = po_file(language, locale)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(as_text(catalog))
    path.with_suffix(".mo").write_bytes(compiled(catalog))


def as_text(catalog: Catalog) -> bytes:
    file = io.BytesIO()
    write_po(file, catalog, width=100, omit_header=False)
    return file.getvalue()


def compiled(catalog: Catalog) -> bytes:
    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def _is_translated(catalog: Catalog, message: Message) -> bool:
    found = catalog.get(message.text)
    if found is None or found.fuzzy or bool(found.pluralizable) != bool(message.plural):
        return False
    texts = found.string if isinstance(found.string, list | tuple) else (found.string,)
    return all(texts)


def _nothing(language: str, message: Message) -> tuple[str, ...] | str:
    forms = int(PLURALS[language][len("nplurals=")])
    return ("",) * forms if message.plural else ""
