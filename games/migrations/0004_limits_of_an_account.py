"""What the limits of an account count: its matches by an index, its share of the simulations."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0003_simulation_without_owner"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="match",
            options={
                "ordering": ["-id"],
                "permissions": [("abort_match", "Can abort a match")],
                "verbose_name_plural": "matches",
            },
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("status__in", ["open", "active"])),
                fields=["creator"],
                name="match_of_creator",
            ),
        ),
        migrations.AddField(
            model_name="simulation",
            name="requester",
            field=models.ForeignKey(
                help_text="On whose share of the workers it is played",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunSQL(
            "UPDATE games_simulation SET requester_id = owner_id", migrations.RunSQL.noop
        ),
    ]
