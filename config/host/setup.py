"""What a service needs before it serves: static files, the database schema, an administrator."""

import hashlib
import secrets
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection


def collect_files() -> bool:
    """Lay out what pages load, named after its content. False if nothing changed."""
    root = Path(settings.STATIC_ROOT)
    stamp, mark = root / ".collected", _mark_of_files()
    if stamp.exists() and stamp.read_text() == mark:
        return False
    root.mkdir(parents=True, exist_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0, clear=True)
    stamp.write_text(mark)
    return True


def _mark_of_files() -> str:
    seen = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            seen.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return seen.hexdigest()


def migrate() -> int:
    """Bring the tables up to date; how many steps that took."""
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    steps = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if steps:
        call_command("migrate", interactive=False, verbosity=0)
    return steps


def first_administrator() -> str | None:
    """Make the account `admin` if nobody is administrator yet; its password, told only now."""
    people = get_user_model().objects
    if people.filter(is_superuser=True).exists():
        return None
    password = secrets.token_urlsafe(12)
    name = "admin" if not people.filter(username="admin").exists() else "cardroom-admin"
    people.create_superuser(username=name, password=password)
    return f"{name} / {password}"
