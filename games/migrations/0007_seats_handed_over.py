"""An index for the few seats that a bot plays for their person; built while matches go on."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0006_operators")]

    operations = [
        AddIndexConcurrently(
            model_name="seat",
            index=models.Index(
                condition=~models.Q(stand_in=""), fields=["match"], name="seat_handed_over"
            ),
        ),
    ]
