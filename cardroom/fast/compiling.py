"""Numba where it is installed, plain Python elsewhere: the same functions, the same results.

``CARDROOM_KERNELS`` says how kernels run: ``compiled`` (the default), ``python`` (the plain form,
far slower than the rules, for checks) or ``off``. Compiled code is kept in a folder named after
everything it was made from, so code of older sources is never loaded: Numba itself looks at the
file of the outermost function alone.
"""

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy

numba: Any = None
with suppress(ImportError):
    numba = import_module("numba")

F = TypeVar("F", bound=Callable[..., Any])

WANTED: Final = os.environ.get("CARDROOM_KERNELS", "compiled")
COMPILED: Final = numba is not None and WANTED == "compiled"

_HERE: Final = Path(__file__).resolve().parent
_RULES: Final = _HERE.parent / "rules"

# In compiled code these are casts; in Python numbers stay exact and are masked where they may grow.
u64: Any = numpy.uint64 if COMPILED else int
i64: Any = numpy.int64 if COMPILED else int


# Arrays are made by the caller: without counting references to them code runs three times as fast.
_ALIKE: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy", "_nrt": False}


def inner(function: F) -> F:
    """A function that only other compiled functions call; it makes no arrays."""
    if not COMPILED:
        return function
    return numba.njit(forceinline=True, **_ALIKE)(function)  # type: ignore[no-any-return]


def outer(function: F) -> F:
    """A function that Python calls; its compiled code is kept on the disk."""
    if not COMPILED:
        return function
    return numba.njit(cache=True, parallel=False, **_ALIKE)(function)  # type: ignore[no-any-return]


@cache
def fingerprint() -> str:
    """Changes with every source and table that compiled code depends on, and with the compiler.

    Numba asks for the place and the time of the file too: code that another copy of it compiled,
    or that was compiled before the file was written again, is not used.
    """
    folders = [_HERE.rglob("*.py"), _RULES.rglob("*.py"), _RULES.rglob("*.table")]
    sources = [path for paths in folders for path in sorted(paths)]
    digest = hashlib.sha256(str(_HERE).encode())
    for path in sources:
        digest.update(path.name.encode() + path.read_bytes())
        digest.update(str(path.stat().st_mtime).encode())
    digest.update(f"{numba.__version__ if numba else ''} {numpy.__version__}".encode())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path:
    """Where compiled code lies: below ``CARDROOM_KERNEL_CACHE`` or the user's cache folder.

    Numba wants to write there; what lies in a folder that cannot be written to, as in an image, is
    copied to a private one first.
    """
    chosen = _chosen_folder() / fingerprint()
    with suppress(OSError):
        chosen.mkdir(parents=True, exist_ok=True)
    return chosen if os.access(chosen, os.W_OK) else _private_copy(chosen)


def _chosen_folder() -> Path:
    named = os.environ.get("CARDROOM_KERNEL_CACHE")
    if named:
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return Path(home) / "cardroom-kernels"


def _private_copy(folder: Path) -> Path:
    """A folder of this user's alone, with what ``folder`` holds; code is loaded from it."""
    own = Path(tempfile.gettempdir()) / f"cardroom-kernels-{os.getuid()}"
    with suppress(FileExistsError):
        own.mkdir(mode=0o700)
    status = own.lstat()
    if status.st_uid != os.getuid() or not stat.S_ISDIR(status.st_mode) or status.st_mode & 0o077:
        own = Path(tempfile.mkdtemp(prefix="cardroom-kernels-"))  # the name was taken by others
    copy = own / folder.name
    if not copy.exists():
        begun = Path(tempfile.mkdtemp(dir=own))
        if folder.is_dir():
            shutil.copytree(folder, begun, dirs_exist_ok=True, copy_function=shutil.copyfile)
        try:
            begun.rename(copy)
        except OSError:  # another process was quicker
            shutil.rmtree(begun, ignore_errors=True)
    return copy


if COMPILED:
    numba.config.CACHE_DIR = str(cache_folder())
