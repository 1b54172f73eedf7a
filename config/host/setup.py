"""Prepares a service before it starts: static files, the database schema, an administrator."""

import hashlib
import secrets
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection

from config.host import backup, embedded
from config.host.state_folder import CannotServe
from config.postgres import schema, tables


def collect_files() -> bool:
    """Collects the static files under names made from their content. False if nothing changed."""
    root = Path(settings.STATIC_ROOT)
    stamp, fingerprint = root / ".collected", _fingerprint()
    if stamp.exists() and stamp.read_text() == fingerprint:
        return False
    root.mkdir(parents=True, exist_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0, clear=True)
    stamp.write_text(fingerprint)
    return True


def _fingerprint() -> str:
    digest = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def make_tables() -> str:
    """Raises CannotServe for a newer schema."""
    restored = tables.restore()
    steps = migrate()
    changes = f"{steps} changes made" if steps else ""
    return ", ".join(filter(None, ("made" if restored else "", changes))) or "up to date"


def write_dump() -> str:
    """Of tables that the migrations make on a server of this state folder, which must be new."""
    words = ["--no-owner", "--no-privileges", "--no-comments", "--inserts"]
    embedded.ensure_postgres(settings.STATE, durable=False)
    try:
        if not migrate():
            raise CannotServe("The database is not empty: name a new folder by CARDROOM_STATE.")
        dump = backup.plain(connection.settings_dict, *words)
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]
    finally:
        embedded.stop(settings.STATE)
    tables.DUMP.write_text(tables.readable_anywhere(dump))
    return f"{tables.DUMP} has {tables.DUMP.stat().st_size // 1024} KB."


def migrate() -> int:
    """Applies the migrations that are missing; how many. Raises CannotServe for a newer schema."""
    difference = schema.difference()
    if difference.unknown:
        raise CannotServe(
            f"Cannot serve: {difference}. Start the release that made it, or a newer one."
        )
    if difference.missing:
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0; SET lock_timeout = 0")
        call_command("migrate", interactive=False, verbosity=0)
    return len(difference.missing)


def create_first_admin() -> str | None:
    """Makes the account `admin` if there is no administrator; name and password, shown only now."""
    users = get_user_model().objects
    if users.filter(is_superuser=True).exists():
        return None
    password = secrets.token_urlsafe(12)
    name = "admin" if not users.filter(username="admin").exists() else "cardroom-admin"
    users.create_superuser(username=name, password=password)
    return f"{name} / {password}"
