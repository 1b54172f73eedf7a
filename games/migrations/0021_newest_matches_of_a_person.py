"""Indexes of what a person plays, of what they opened and of what runs in public; built while
matches go on.
"""

import django.db.models.deletion
from django.conf import settings
from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0020_friends_seats_and_delay")]

    operations = [
        AddIndexConcurrently(
            model_name="seat",
            index=models.Index(
                fields=["user", "-match"],
                include=["index"],
                condition=models.Q(user__isnull=False, place__isnull=True),
                name="seat_unfinished",
            ),
        ),
        AddIndexConcurrently(
            model_name="match",
            index=models.Index(fields=["creator", "-id"], name="match_opened_by"),
        ),
        AddIndexConcurrently(
            model_name="match",
            index=models.Index(
                fields=["creator", "-id"],
                condition=models.Q(status__in=["open", "active"]),
                name="match_not_over_of_creator",
            ),
        ),
        RemoveIndexConcurrently(model_name="match", name="match_of_creator"),
        AddIndexConcurrently(
            model_name="match",
            index=models.Index(
                fields=["-id"],
                condition=models.Q(status="active", visibility="public"),
                name="match_running_in_public",
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="creator",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
