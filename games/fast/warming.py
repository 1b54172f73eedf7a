"""Compiling kernels ahead of time, and knowing whether that is done.

``python -m games.fast.warming`` fills the cache of this machine or image. Code that must not wait
asks ``is_warm`` first; loading compiled code takes a fraction of a second.
"""

import sys
from contextlib import suppress
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

import numpy

from games import fast
from games.fast.compiling import COMPILED, cache_folder
from games.fast.kernel import NO_TRACE, Kernel

_NOTHING: Final = numpy.zeros((0, 2), dtype=numpy.uint64)
_loaded: set[str] = set()


def kernels() -> dict[str, Kernel]:
    """Every kernel by the slug of its game."""
    modules = [
        import_module(f"{fast.__name__}.{found.name}") for found in iter_modules(fast.__path__)
    ]
    found = [module.KERNEL for module in modules if hasattr(module, "KERNEL")]
    return {kernel.slug: kernel for kernel in found}


def is_warm(slug: str) -> bool:
    """Whether calling the kernel of this game does not compile anything first."""
    return slug in _loaded or (cache_folder() / f"{slug}.warm").exists()


def warm(kernel: Kernel) -> None:
    """Compiles the kernel, or loads it, and notes that it is there."""
    results = numpy.zeros((0, 32), dtype=numpy.int64)
    array = numpy.zeros(0, dtype=numpy.int64)
    kernel.play_batch(_NOTHING, array, array, results, NO_TRACE, *kernel.scratch())
    _loaded.add(kernel.slug)
    with suppress(OSError):  # nowhere to keep it: the next process compiles again
        (cache_folder() / f"{kernel.slug}.warm").touch()


def warm_all() -> None:
    for kernel in kernels().values():
        warm(kernel)


def main() -> None:
    if not COMPILED:
        print("Numba is not installed or switched off: the rules play everything.")  # noqa: T201
        sys.exit(1)
    warm_all()
    print(f"Compiled kernels: {', '.join(kernels())}; kept in {cache_folder()}.")  # noqa: T201


if __name__ == "__main__":
    main()
