"""Faults of a folder or its disk, each as a sentence for the person who starts the service."""

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from config.host.embedded.processes import ServiceError

LEAST_FREE: Final = 32 * 2**20  # bytes; Postgres cannot even begin with less
SENTENCES: Final = {
    errno.ENOSPC: "The disk of {folder} is full. Make room there, or set CARDROOM_STATE to a "
    "folder on another disk.",
    errno.EDQUOT: "The quota of this user is used up on the disk of {folder}. Make room there, or "
    "set CARDROOM_STATE to a folder on another disk.",
    errno.EROFS: "The disk of {folder} is read-only. Set CARDROOM_STATE to a folder that can be "
    "written.",
    errno.EACCES: "This user may not use {folder}. Give it the rights, or set CARDROOM_STATE "
    "to a folder of its own.",
    errno.ENOTDIR: "{folder} is below something that is no folder. Set CARDROOM_STATE to a folder.",
}
SENTENCES[errno.EPERM] = SENTENCES[errno.EACCES]
SENTENCES[errno.EEXIST] = SENTENCES[errno.ENOTDIR]
# Words of programs in their logs.
WRITTEN: Final = {
    "No space left on device": errno.ENOSPC,
    "Disk quota exceeded": errno.EDQUOT,
    "Read-only file system": errno.EROFS,
    "Permission denied": errno.EACCES,
}


def sentence(error: OSError, folder: Path) -> str:
    known = SENTENCES.get(error.errno or 0)
    return known.format(folder=folder) if known else f"{folder} cannot be used: {error}."


@contextmanager
def explained(folder: Path) -> Iterator[None]:
    """Turns an OSError of the block into a ServiceError with its sentence."""
    try:
        yield
    except OSError as error:
        raise ServiceError(sentence(error, folder)) from None


def check_space(folder: Path) -> None:
    """Raises ServiceError if the disk is full."""
    if shutil.disk_usage(folder).free < LEAST_FREE:
        raise ServiceError(SENTENCES[errno.ENOSPC].format(folder=folder))


def check_output(output: str, folder: Path) -> None:
    """Raises ServiceError if the output of a failed program names the disk or a folder as cause."""
    for words, number in WRITTEN.items():
        if words in output:
            raise ServiceError(SENTENCES[number].format(folder=folder))


def check_way(folder: Path, user: str) -> None:
    """Raises ServiceError for the first folder above that the servers' user may not enter."""
    for above in reversed(folder.parents):
        if not above.stat().st_mode & 0o001:
            raise ServiceError(
                f"The database runs as the user {user}, who may not enter {above} on the way to "
                f"{folder}. Allow it (chmod o+x {above}), or move {folder} and set CARDROOM_STATE "
                "to a folder that everybody may enter, such as /var/lib/cardroom."
            )
