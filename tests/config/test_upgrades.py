"""Every migration runs while the previous release serves; what does not is named."""

import os
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.apps import apps
from django.contrib.postgres.operations import AddIndexConcurrently
from django.core.management import CommandError, call_command
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState

from config.host import backups
from config.management.commands import check_migrations
from config.management.commands.check_migrations import faults_of
from config.postgres import schema

pytestmark = pytest.mark.django_db


BEFORE = ProjectState()
BEFORE.add_model(
    ModelState(
        "games",
        "Table",
        [
            ("id", models.BigAutoField(primary_key=True)),
            ("name", models.CharField(max_length=20, null=True)),
        ],
    )
)
text = models.CharField


def faults(*operations):
    migration = migrations.Migration("0002_next", "games")
    migration.operations = list(operations)
    return list(faults_of(migration, BEFORE))


@pytest.mark.parametrize(
    ("operation", "word"),
    [
        (migrations.RemoveField("table", "name"), "still reads"),
        (migrations.DeleteModel("Table"), "still reads"),
        (migrations.RenameField("table", "name", "title"), "old name"),
        (migrations.RenameModel("Table", "Board"), "old name"),
        (migrations.AlterModelTable("table", "boards"), "old name"),
        (migrations.AddField("table", "size", models.IntegerField(default=0)), "db_default"),
        (migrations.AlterField("table", "name", text(max_length=20)), "nothing was allowed"),
        (migrations.AlterField("table", "name", text(max_length=9, null=True)), "longer values"),
        (migrations.AlterField("table", "name", models.IntegerField(null=True)), "another type"),
        (
            migrations.AlterField("table", "name", text(max_length=20, null=True, unique=True)),
            "equal values",
        ),
        (
            migrations.AddIndex("table", models.Index(fields=["name"], name="by_name")),
            "Concurrently",
        ),
        (
            migrations.AddConstraint(
                "table", models.CheckConstraint(condition=models.Q(id__gt=0), name="id_counts")
            ),
            "does not know it",
        ),
        (migrations.RunSQL("SELECT 1"), "judgement"),
        (migrations.RunPython(migrations.RunPython.noop), "judgement"),
    ],
)
def test_what_the_previous_release_does_not_survive(operation, word):
    (fault,) = faults(operation)
    assert word in fault


def test_what_it_survives():
    index = models.Index(fields=["name"], name="by_name")
    widened = text(max_length=40, null=True)
    out_of_the_state = migrations.RemoveField("table", "name")
    assert not faults(
        migrations.AddField("table", "size", models.IntegerField(null=True)),
        migrations.AddField("table", "tall", models.IntegerField(db_default=0)),
        migrations.AlterField("table", "name", widened),
        AddIndexConcurrently("table", index),
        migrations.SeparateDatabaseAndState(state_operations=[out_of_the_state]),
    )


def test_a_table_of_its_own_may_be_made_at_will():
    made = migrations.CreateModel("New", [("id", models.BigAutoField(primary_key=True))])
    assert not faults(made, migrations.AddField("new", "size", models.IntegerField(default=0)))


def test_a_change_without_its_migration_is_named(monkeypatch):
    monkeypatch.setattr(apps.get_model("games", "Notice")._meta.get_field("text"), "max_length", 9)
    with pytest.raises(CommandError, match="games: Alter field text on notice"):
        call_command("check_migrations")


def test_all_of_ours_pass_or_are_accepted_with_a_reason(capsys, monkeypatch):
    call_command("check_migrations")
    assert all(check_migrations.ACCEPTED.values())
    monkeypatch.setitem(check_migrations.ACCEPTED, "games.0999_later", "a reason")
    with pytest.raises(CommandError, match=r"games\.0999_later is accepted without need"):
        call_command("check_migrations")
    monkeypatch.delitem(check_migrations.ACCEPTED, "games.0999_later")
    monkeypatch.delitem(check_migrations.ACCEPTED, "decks.0003_measurement_against")
    with pytest.raises(CommandError, match=r"decks\.0003_measurement_against: Create constraint"):
        call_command("check_migrations")


# The dump from which a first start makes its tables gives what the migrations give.

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ("--schema-only", "--schema=public")


@contextmanager
def database(name):
    """An empty one beside that of the test; the settings of a connection to it."""
    with connection.creation._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
        cursor.execute(f'CREATE DATABASE "{name}"')
        try:
            yield connection.settings_dict | {"NAME": name}
        finally:
            cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(scope="module")
def restored(django_db_setup, django_db_blocker):
    """A database whose tables are made from the dump, and by what came after it."""
    with django_db_blocker.unblock(), database(f"restored_{os.getpid()}") as there:
        with pytest.MonkeyPatch.context() as patch:
            parameters = connection.get_connection_params() | {"dbname": there["NAME"]}
            patch.setattr(connection, "get_connection_params", lambda: parameters)
            assert schema.restore()
            assert not schema.restore()  # it is not empty any more
        if not migrations_in_the_dump() >= migrations_of_the_tree():
            migrate(there)
        yield there


def migrations_in_the_dump():
    return set(re.findall(r"django_migrations VALUES \(\d+, '(\w+)', '(\w+)'", dump()))


def migrations_of_the_tree():
    return set(MigrationLoader(None).graph.nodes)


def dump():
    return schema.DUMP.read_text()


def migrate(there):
    """Takes seconds, and is needed only while the dump is older than the newest migration."""
    url = f"postgres://{there['USER']}@{there['HOST'].replace('/', '%2F')}:{there['PORT']}"
    environment = os.environ | {"DATABASE_URL": f"{url}/{there['NAME']}"}
    command = [sys.executable, "manage.py", "tables"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)


def plain(there, *words):
    return schema.readable_anywhere(backups.plain(there, "--no-owner", *words))


def test_the_catalogue_is_that_of_the_migrations_letter_by_letter(restored):
    assert plain(restored, *SCHEMA) == plain(connection.settings_dict, *SCHEMA)


def test_the_restore_leaves_no_setting_to_the_next_client_of_a_pooler():
    """It emptied the search path of PgBouncer's connection, and found no schema to migrate."""
    assert re.findall(r"^SET (?!LOCAL)|set_config", schema.FIRST + dump(), re.MULTILINE) == []


QUERIES = {
    "rights": """
        SELECT role.name, app_label, model, codename, permission.name FROM auth_group AS role
        JOIN auth_group_permissions ON group_id = role.id
        JOIN auth_permission AS permission ON permission_id = permission.id
        JOIN django_content_type ON content_type_id = django_content_type.id""",
    "permissions": """
        SELECT app_label, model, codename, auth_permission.name FROM auth_permission
        JOIN django_content_type ON content_type_id = django_content_type.id""",
    "types": "SELECT app_label, model FROM django_content_type",
    "migrations": "SELECT app, name FROM django_migrations",
}


@pytest.mark.parametrize("what", QUERIES)
def test_so_are_its_rows(restored, what):
    with connection.cursor() as cursor:
        cursor.execute(QUERIES[what])
        migrated = sorted(cursor.fetchall())
    place = {"dbname": restored["NAME"], "user": restored["USER"], "host": restored["HOST"]}
    with psycopg.connect(**place) as there:
        assert sorted(there.execute(QUERIES[what]).fetchall()) == migrated


def test_nothing_else_is_written_in_it(restored):
    """No account, no key, no address: the dump is published."""
    tables_of_rows = set(re.findall(r"^INSERT INTO public\.(\w+)", dump(), re.MULTILINE))
    rights = {"auth_group", "auth_group_permissions", "auth_permission", "django_content_type"}
    assert tables_of_rows <= rights | {"django_migrations", "ratings_ratingera"}
    assert not re.search(r"'\d{4}-\d\d-\d\d", dump())  # nor when it was made


def test_a_dump_that_cannot_be_read_here_leaves_the_tables_to_the_migrations(monkeypatch, tmp_path):
    broken = tmp_path / "tables.sql"
    broken.write_text("CREATE TABLE public.half (); SELECT of_a_newer_server();")
    monkeypatch.setattr(schema, "DUMP", broken)
    with database(f"broken_{os.getpid()}") as there:
        parameters = connection.get_connection_params() | {"dbname": there["NAME"]}
        monkeypatch.setattr(connection, "get_connection_params", lambda: parameters)
        assert not schema.restore()
        assert "half" not in plain(there)


def test_it_is_no_newer_than_the_tree():
    assert migrations_in_the_dump() <= migrations_of_the_tree()
    assert len(migrations_in_the_dump()) > 100
