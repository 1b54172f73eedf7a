"""An index for searches by the name of somebody at a shared device; built while matches go on."""

from django.contrib.postgres.indexes import OpClass
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models.functions import Upper


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0010_rolled_back_rounds")]

    operations = [
        AddIndexConcurrently(
            model_name="seat",
            index=models.Index(
                OpClass(Upper("name"), name="text_pattern_ops"),
                name="seat_local_name",
                condition=models.Q(kind="local"),
            ),
        ),
    ]
