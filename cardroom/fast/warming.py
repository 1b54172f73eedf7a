"""Compiling kernels ahead of time, and knowing whether that is done.

``python -m cardroom.fast.warming`` fills the cache of this machine or image; given a file and a
word, it notes that there. Code that must not wait asks ``is_warm`` first; loading compiled code
takes a fraction of a second.
"""

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module, util
from pathlib import Path
from pkgutil import iter_modules
from typing import Final, Protocol

import numpy

from cardroom import fast
from cardroom.fast.compiling import COMPILED, cache_folder
from cardroom.fast.kernel import NO_TRACE, Kernel
from cardroom.fast.searching import CompiledSearch


class Loaded(Protocol):
    """A search, or a module of compiled functions."""

    @property
    def load(self) -> Callable[[], None]: ...


_NOTHING: Final = numpy.zeros((0, 2), dtype=numpy.uint64)
_loaded: set[str] = set()


def kernels() -> dict[str, Kernel]:
    """Every kernel by the slug of its game."""
    names = [f"{fast.__name__}.{module.name}" for module in iter_modules(fast.__path__)]
    modules = [import_module(name) for name in names]
    every = [module.KERNEL for module in modules if hasattr(module, "KERNEL")]
    return {kernel.slug: kernel for kernel in every}


def searches() -> dict[str, dict[str, CompiledSearch]]:
    """The compiled searches by the slugs of game and bot."""
    by_game = {}
    for slug in kernels():
        name = f"{fast.__name__}.{slug.replace('-', '_')}.search"
        if util.find_spec(name) is not None:
            by_game[slug] = import_module(name).SEARCHES
    return by_game


def is_warm(slug: str) -> bool:
    """Whether calling the kernel of this game does not compile anything first."""
    return _is_noted(slug)


def warm(kernel: Kernel) -> None:
    """Compiles the kernel, or loads it, and notes that it is there."""
    results = numpy.zeros((0, 32), dtype=numpy.int64)
    array = numpy.zeros(0, dtype=numpy.int64)
    kernel.play_batch(_NOTHING, array, array, results, NO_TRACE, *kernel.scratch())
    _note(kernel.slug)


def searches_are_warm(slug: str) -> bool:
    """Whether the searches of this game's bots compile nothing when they are called."""
    return _is_noted(_searches(slug))


def load_searches(slug: str, searches: Iterable[Loaded]) -> bool:
    """Loads the searches of a game if they are compiled; whether they are."""
    if not searches_are_warm(slug):
        return False
    if _searches(slug) not in _loaded:
        warm_searches(slug, searches)
    return True


def warm_searches(slug: str, searches: Iterable[Loaded]) -> None:
    """Compiles the searches of a game, or loads them, and notes that they are there."""
    for search in searches:
        search.load()
    _note(_searches(slug))


def _searches(slug: str) -> str:
    return f"{slug}.searches"


def _is_noted(name: str) -> bool:
    return name in _loaded or (cache_folder() / f"{name}.warm").exists()


def _note(name: str) -> None:
    _loaded.add(name)
    with suppress(OSError):  # nowhere to keep it: the next process compiles again
        (cache_folder() / f"{name}.warm").touch()


def warm_all() -> None:
    for kernel in kernels().values():
        warm(kernel)
    for slug, by_bot in searches().items():
        warm_searches(slug, by_bot.values())


def main() -> None:
    if not COMPILED:
        print("Numba is not installed or switched off: the rules play everything.")  # noqa: T201
        sys.exit(1)
    warm_all()
    print(f"Compiled kernels: {', '.join(kernels())}; kept in {cache_folder()}.")  # noqa: T201
    if sys.argv[1:]:
        note, sources = sys.argv[1:]
        with suppress(OSError):  # a full disk: another start looks again
            Path(note).write_text(sources)


if __name__ == "__main__":
    main()
