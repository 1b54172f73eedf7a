"""An index of the matches that wait for players, for the lobby; built while matches go on."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0012_seats_without_second_indexes")]

    operations = [
        AddIndexConcurrently(
            model_name="match",
            index=models.Index(
                fields=["-id"], condition=models.Q(status="open"), name="match_open"
            ),
        ),
    ]
