"""Parts of a simulation pause, so that those of several accounts take turns."""

from django.db import migrations, models
from django.db.models.functions import Now


class Migration(migrations.Migration):
    dependencies = [("games", "0004_limits_of_an_account")]

    operations = [
        migrations.AddField(
            model_name="simulation",
            name="served_at",
            field=models.DateTimeField(help_text="When a worker last took a part", null=True),
        ),
        migrations.AddField(
            model_name="simulationpart",
            name="paused",
            field=models.BinaryField(
                help_text="cardroom.arena.request.PausedPart as JSON", null=True
            ),
        ),
        migrations.AlterField(
            model_name="simulationpart",
            name="given_at",
            field=models.DateTimeField(
                db_default=Now(), help_text="Empty while it waits for the next worker", null=True
            ),
        ),
    ]
