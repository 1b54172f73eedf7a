"""The settings of the suite: the real ones on a real Postgres and a real Valkey.

pytest-django reads settings before any conftest, so the servers are started here. Several runs
and their xdist workers share the servers of `var/test`; the last run to end stops them.
"""

import atexit
import fcntl
import os
from pathlib import Path

STATE = Path(__file__).resolve().parent.parent / "var" / "test"
NAMED = "DATABASE_URL" in os.environ, "VALKEY_URL" in os.environ
# Servers that were named from outside, not by the process that started this one.
NAMED_SERVERS = os.environ.setdefault("NAMED_SERVERS", "1" if NAMED[0] else "") == "1"

os.environ.setdefault("CARDROOM_STATE", str(STATE))
os.environ.setdefault("CARDROOM_ONE_MACHINE", "1")
os.environ.setdefault("TEST_DATABASE", f"test_{os.getpid()}")  # xdist's workers inherit it
BY_A_WORKER = "MIGRATED_DATABASE" in os.environ and "PYTEST_XDIST_WORKER" not in os.environ
os.environ.setdefault("MIGRATED_DATABASE", f"{os.environ['TEST_DATABASE']}_migrated")
for scope in ("SIGNUP", "WRONG_PASSWORDS", "PICTURES"):
    os.environ.setdefault(f"THROTTLE_{scope}", "100000/min")
os.environ.setdefault("RECORD_BYTES_IN_PLACE", str(2**22))  # no worker runs
os.environ.setdefault("LOG_LEVEL", "ERROR")
os.environ.setdefault("DATABASE_LOCK_SECONDS", "60")  # a busy machine, and tests empty tables
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # networks are small, and others test beside
os.environ.setdefault("CARDROOM_KERNELS", "python")  # the suite compiles nothing
os.environ.setdefault("CARDROOM_OUTSIDE_GAMES", "0")  # those of a test alone


def use_servers(state: Path) -> None:
    """Uses the servers until this process ends."""
    from config.host import embedded

    state.mkdir(parents=True, exist_ok=True)
    share = (state / "users.lock").open("w")
    fcntl.flock(share, fcntl.LOCK_SH)
    services = embedded.ensure(state, durable=False)
    os.environ.setdefault("DATABASE_URL", services.database_url)
    use_own_database(services.valkey_url)

    def leave() -> None:
        try:
            fcntl.flock(share, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        embedded.stop(state)

    atexit.register(leave)


def use_own_database(valkey_url: str) -> None:
    """A database of Valkey's for this process: no other one takes its tasks or empties its cache.

    Processes that a test starts share it. A worker of xdist inherits the one of the process that
    started it, and must not keep it.
    """
    os.environ["VALKEY_URL"] = f"{valkey_url.partition('?')[0]}?db={os.getpid() % 200}"
    os.environ["VALKEY_DATABASE_OF"] = WORKER


WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")

if not all(NAMED):
    use_servers(Path(os.environ["CARDROOM_STATE"]))
elif os.environ.get("VALKEY_DATABASE_OF", WORKER) != WORKER:
    use_own_database(os.environ["VALKEY_URL"])

from config.settings import *  # noqa: E402, F403

STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # noqa: F405
# A server in the process of a test is alone. Else each one left a thread behind that exchanges
# counts for ever: a test would be refused for what another one had sent.
WEB_PROCESSES = 1
DOCS_ROOT = STATE / "no_documentation"  # whether or not it was built here
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# A busy machine must not make the cache count in memory instead.
CACHES["default"]["OPTIONS"] = {"socket_timeout": 5, "socket_connect_timeout": 5}  # noqa: F405
