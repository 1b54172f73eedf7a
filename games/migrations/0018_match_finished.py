"""An index of the matches that are over, by their end, for what is counted of them; built while
matches go on.
"""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0017_invitations_answered")]

    operations = [
        AddIndexConcurrently(
            model_name="match",
            index=models.Index(
                fields=["finished_at"],
                condition=models.Q(status="finished"),
                name="match_finished",
            ),
        ),
    ]
