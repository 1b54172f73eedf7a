"""Every migration runs while the previous release serves; what does not is named."""

import pytest
from django.apps import apps
from django.contrib.postgres.operations import AddIndexConcurrently
from django.core.management import CommandError, call_command
from django.db import migrations, models
from django.db.migrations.state import ModelState, ProjectState

from config.management.commands import check_migrations
from config.management.commands.check_migrations import faults_of

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
