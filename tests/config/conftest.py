"""Folders and processes for the tests of the one-machine service."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from config.host import embedded


@pytest.fixture(scope="module")
def state():
    """An empty state folder that every user may enter, its servers stopped at the end."""
    folder = Path(tempfile.mkdtemp(prefix="cardroom-test-", dir="/tmp"))
    folder.chmod(0o755)
    yield folder
    embedded.stop(folder)
    shutil.rmtree(folder)


@pytest.fixture
def processes_of():
    """Ids of the processes that work in a folder or have it in their command or environment."""

    def find(folder):
        numbers = (int(place.name) for place in Path("/proc").glob("[0-9]*"))
        return {pid for pid in numbers if _of(pid, folder)}

    return find


def _of(pid, folder):
    place, mark = Path("/proc") / str(pid), os.fsencode(folder)
    if pid == os.getpid():
        return False
    try:
        if (place / "stat").read_text().rpartition(")")[2].split()[0] == "Z":
            return False
        given = (place / "cmdline").read_bytes() + (place / "environ").read_bytes()
        return mark in given or mark in os.fsencode((place / "cwd").readlink())
    except OSError:
        return False
