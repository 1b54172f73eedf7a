"""Templates and static files of games from outside: those below ``games/tables/<slug>/``."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import utils
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage
from django.template import Origin
from django.template.loaders.filesystem import Loader

from cardroom.rules import catalog


def place_of(slug: str) -> str:
    return f"games/tables/{slug}/"


def _folders(kind: str, name: str = "") -> Iterator[tuple[str, Path]]:
    """Each installed game's place and folder of this kind; with a name those that it belongs to."""
    for one in catalog.INSTALLED:
        place, folder = place_of(one.entry.slug), one.folder / kind
        if name.startswith(place if name else "") and folder.is_dir():
            yield place, folder


class OutsideTemplates(Loader):
    def get_dirs(self) -> list[Any]:
        return [folder for _, folder in _folders("templates")]

    def get_template_sources(self, template_name: str) -> Iterator[Origin]:
        if any(_folders("templates", template_name)):
            yield from super().get_template_sources(template_name)


class OutsideFiles(BaseFinder):
    def check(self, **_: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: Any = False, **_: Any) -> Any:  # noqa: FBT002
        folders = [
            str(folder / path)
            for _, folder in _folders("static", path)
            if path and _is_below(folder, path)
        ]
        return folders if find_all else next(iter(folders), [])

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Any]]:
        for place, folder in _folders("static"):
            storage = FileSystemStorage(location=folder)
            if (folder / place).is_dir():
                patterns = [*(ignore_patterns or ())]
                for path in utils.get_files(storage, patterns, place.rstrip("/")):
                    yield path, storage


def _is_below(folder: Path, path: str) -> bool:
    file = (folder / path).resolve()
    return file.is_file() and file.is_relative_to(folder.resolve())
