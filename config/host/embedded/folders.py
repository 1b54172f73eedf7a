"""The folders of the embedded servers and the user who owns them.

Postgres refuses to run as root, so as root both servers run as `nobody`; then every folder above
their data has to let `nobody` through, which a home folder does not.
"""

import fcntl
import hashlib
import os
import pwd
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.host.embedded import faults
from config.host.embedded.processes import ServiceError

SYSTEM_STATE = Path("/var/lib/cardroom")
LONGEST_SOCKET_PATH = 107  # bytes, of the kernel's sun_path
LONGEST_SOCKET_NAME = len("/.s.PGSQL.5432.lock")


@dataclass(frozen=True)
class Owner:
    """The user of the servers: `nobody` if this process is root, else its own user."""

    uid: int
    gid: int
    dropped: bool

    @property
    def popen(self) -> dict[str, Any]:
        """Arguments of subprocess.Popen that switch to this user."""
        if not self.dropped:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}


@dataclass(frozen=True)
class Home:
    """The folders of one state."""

    state: Path
    data: Path
    sockets: Path
    owner: Owner

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Only one process at a time starts or stops servers here."""
        with (self.state / "services.lock").open("w") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield

    def folder(self, name: str) -> Path:
        """A folder below the data that belongs to the servers."""
        return own_folder(self.data / name, self.owner)


def home(state: Path) -> Home:
    """The folders of this state, created where they are missing; raises ServiceError."""
    state = state.resolve()
    with faults.explained(state):
        state.mkdir(parents=True, exist_ok=True)
        who = owner()
        data = _data_folder(state, who)
        if who.dropped:
            faults.check_way(data, "nobody")
        return Home(state=state, data=data, sockets=_socket_folder(data, who), owner=who)


def owner() -> Owner:
    if os.geteuid() != 0:
        return Owner(os.geteuid(), os.getegid(), dropped=False)
    nobody = pwd.getpwnam("nobody")
    return Owner(nobody.pw_uid, nobody.pw_gid, dropped=True)


def own_folder(path: Path, who: Owner) -> Path:
    """A folder that only `who` may enter, created if it is missing."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.is_symlink() or path.stat().st_uid not in (os.geteuid(), who.uid):
        raise ServiceError(f"{path} belongs to another user; remove it or set CARDROOM_STATE.")
    path.chmod(0o700)
    if who.dropped:
        os.chown(path, who.uid, who.gid)
    return path


def open_to_all(path: Path) -> bool:
    """Whether every user may enter each folder from the root down to this one."""
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


def secret_key(state: Path) -> str:
    """This installation's signing key, created on the first call and kept in the state folder."""
    path = state / "secret-key"
    with faults.explained(state):
        if not path.exists():
            state.mkdir(parents=True, exist_ok=True)
            _write_once(path, secrets.token_urlsafe(64))
        return path.read_text().strip()


def _write_once(path: Path, text: str) -> None:
    """Atomic; the first of several writers wins."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as handle:
        handle.write(text)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def _data_folder(state: Path, who: Owner) -> Path:
    """`services` in the state folder, or a link to SYSTEM_STATE if `nobody` cannot enter it.

    The random name of the target ties the data to this state folder: one that was removed and
    created again starts with empty data.
    """
    here = state / "services"
    if not here.exists() and who.dropped and not open_to_all(state):
        SYSTEM_STATE.mkdir(mode=0o755, parents=True, exist_ok=True)
        target = SYSTEM_STATE / secrets.token_hex(4)
        own_folder(target, who)
        try:
            here.symlink_to(target)
        except FileExistsError:  # another process was quicker
            target.rmdir()
    return own_folder(here.resolve(), who)


def _socket_folder(data: Path, who: Owner) -> Path:
    sockets = data / "run"
    if len(os.fsencode(sockets)) + LONGEST_SOCKET_NAME > LONGEST_SOCKET_PATH:
        name = hashlib.sha256(os.fsencode(data)).hexdigest()[:12]
        sockets = Path(tempfile.gettempdir()) / f"cardroom-{who.uid}-{name}"
    return own_folder(sockets, who)
