"""The embedded Postgres: created once, started if it is not running, stopped cleanly."""

import os
import shutil
import signal
from pathlib import Path
from urllib.parse import quote

from config.host import sizes
from config.host.embedded import processes
from config.host.embedded.processes import Home, ServiceError, postgres_bin

ROLE = DATABASE = "cardroom"
SECONDS_TO_START = 120.0  # crash recovery may take long
ACCEPTS, REFUSES = 0, 1  # what pg_isready returns; 2 is "no answer"

SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "checkpoint_timeout": "15min",
    "wal_level": "minimal",  # there is no replica
    "max_wal_senders": "0",
    "wal_compression": "on",
    "jit": "off",
    "log_min_messages": "warning",
    "log_statement": "none",
    "log_min_error_statement": "panic",  # statements and rows hold states and seeds
    "log_error_verbosity": "terse",
    "log_parameter_max_length_on_error": "0",
}
CARELESS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def url(place: Home) -> str:
    return f"postgres://{ROLE}@{quote(str(place.sockets), safe='')}/{DATABASE}"


def ensure(place: Home, *, durable: bool = True, seconds: float = SECONDS_TO_START) -> str:
    """Starts it if needed; its address. The caller holds the lock.

    Raises ServiceError when it does not accept connections after so many seconds, or cannot.
    """
    programs = postgres_bin(place)
    if _answer(programs, place) != ACCEPTS:
        processes.check_space(place.data)
        _create(programs, place, durable=durable)
        _stop_without_socket(place)
        _start(programs, place, durable=durable, seconds=seconds)
    return url(place)


def is_reachable(place: Home) -> bool:
    """Whether it runs and its socket is there; somebody may have tidied that away."""
    return pid(place) is not None and _socket(place).exists()


def pid(place: Home) -> int | None:
    """The process id of this folder's postmaster, if it runs."""
    try:
        number = int((_folder(place) / "postmaster.pid").read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None
    command = processes.command_line(number)
    ours = not command or str(_folder(place)) in command
    return number if ours and processes.alive(number) else None


def stop(place: Home) -> None:
    number = pid(place)
    if number is not None:
        processes.end(number, signal.SIGINT, signal.SIGQUIT, seconds=3)


def _stop_without_socket(place: Home) -> None:
    """A server whose socket is gone cannot be reached any more; it never makes another one."""
    if pid(place) is not None and not processes.wait_until(_socket(place).exists, 2):
        stop(place)


def _socket(place: Home) -> Path:
    return place.sockets / ".s.PGSQL.5432"


def _folder(place: Home) -> Path:
    return place.data / "postgres"


def _answer(programs: Path, place: Home) -> int:
    if not _socket(place).exists():
        return 2
    command = [str(programs / "pg_isready"), "-q", "-h", str(place.sockets), "-t", "2"]
    return os.spawnv(os.P_WAIT, command[0], [*command, "-d", DATABASE])


def _create(programs: Path, place: Home, *, durable: bool) -> None:
    """Creates the cluster under another name and renames it, so that it is complete or missing."""
    folder = _folder(place)
    if (folder / "PG_VERSION").exists():
        _check_version(programs, folder)
        return
    draft = folder.with_name("postgres.new")
    shutil.rmtree(draft, ignore_errors=True)
    locale = ["--locale=C"]
    if _version(programs) >= 17:
        locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
    command: list[str | Path] = [
        programs / "initdb",
        "-D",
        draft,
        "-U",
        ROLE,
        "-E",
        "UTF8",
        *locale,
    ]
    command += ["--auth-local=trust", "--auth-host=reject"]
    if not durable:
        command.append("--no-sync")
    processes.run(command, cwd=place.data, popen=place.owner.popen)
    _create_database(programs, draft, place)
    draft.rename(folder)


def _version(programs: Path) -> int:
    words = processes.run([programs / "postgres", "--version"], cwd=programs, popen={})
    return int(words.split()[2].split(".")[0])


def _check_version(programs: Path, folder: Path) -> None:
    made_by, installed = int((folder / "PG_VERSION").read_text()), _version(programs)
    if made_by != installed:
        raise ServiceError(
            f"The data in {folder} was made by Postgres {made_by}, but only Postgres {installed} "
            f"is installed. Install Postgres {made_by}, or move the folder away to begin with no "
            "data."
        )


def _start(programs: Path, place: Home, *, durable: bool, seconds: float) -> None:
    """Starts it and waits. It may refuse while the last processes of a killed server end."""
    folder, log = _folder(place), place.data / "postgres.log"
    settings = SETTINGS | sizes.postgres(sizes.machine())
    settings |= {"unix_socket_directories": str(place.sockets)}
    if not durable:
        settings |= CARELESS
    command: list[str | Path] = [programs / "postgres", "-D", folder]
    for name, value in settings.items():
        command += ["-c", f"{name}={value}"]

    def up() -> bool:
        if pid(place) is None:
            _clear_stale_files(place)
            before = processes.size(log)
            processes.start(command, log=log, cwd=place.data, popen=place.owner.popen)
            if not processes.wait_until(lambda: pid(place) is not None, 1):
                processes.check_output(processes.added(log, before), place.data)
        return _answer(programs, place) == ACCEPTS

    if not processes.wait_until(up, seconds, step=0.05):
        processes.check_space(place.data)
        raise ServiceError(
            f"Postgres did not start within {seconds:.0f} s. "
            f"The end of {log}:\n{processes.last_lines(log)}"
        )


def _clear_stale_files(place: Home) -> None:
    """Removes pid files that would prevent every start.

    Postgres itself notices that the process of a pid file has ended, and then checks that no child
    of it runs, so that file is left alone. If the number belongs to another process by now, or to
    a zombie, Postgres is mistaken; then the children are looked for here.
    """
    folder = _folder(place)
    if processes.working_in(folder):
        return
    socket = _socket(place)
    for path in (folder / "postmaster.pid", socket.with_name(socket.name + ".lock")):
        if _taken_number(path):
            path.unlink()
            socket.unlink(missing_ok=True)


def _taken_number(path: Path) -> bool:
    """Whether the number in this pid file is that of a process now, though not of this server."""
    try:
        os.kill(int(path.read_text().split("\n", 1)[0]), 0)
    except (OSError, ValueError):
        return False
    return True


def _create_database(programs: Path, folder: Path, place: Home) -> None:
    """Before the server runs for the first time, so that a cluster never lacks it."""
    command: list[str | Path] = [programs / "postgres", "--single", "-D", folder, "postgres"]
    create = f'CREATE DATABASE "{DATABASE}"\n'
    processes.run(command, cwd=place.data, popen=place.owner.popen, words=create)
