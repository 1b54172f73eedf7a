"""The audit log and the trigger that keeps it append-only."""

import django.db.models.functions.datetime
from django.db import migrations, models

APPEND_ONLY = """
CREATE FUNCTION audit_entry_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The audit log is append-only: % is refused.', TG_OP
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_entry
    FOR EACH ROW EXECUTE FUNCTION audit_entry_is_append_only();
"""
REMOVED = """
DROP TRIGGER append_only ON audit_entry;
DROP FUNCTION audit_entry_is_append_only();
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ("actor_id", models.UUIDField(null=True)),
                ("actor", models.CharField(max_length=64)),
                ("action", models.CharField(max_length=40)),
                ("subject_type", models.CharField(max_length=24)),
                ("subject_id", models.CharField(max_length=64)),
                ("subject", models.CharField(max_length=120)),
                ("reason", models.TextField(blank=True)),
                ("details", models.JSONField(default=dict)),
            ],
            options={
                "verbose_name_plural": "audit log",
                "ordering": ["-id"],
                "default_permissions": ("view",),
                "indexes": [
                    models.Index(fields=["subject_type", "subject_id", "-id"], name="entry_of_subject"),
                    models.Index(fields=["actor_id", "-id"], name="entry_of_actor"),
                ],
            },
        ),
        migrations.RunSQL(APPEND_ONLY, REMOVED),
    ]
