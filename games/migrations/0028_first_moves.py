"""Seats whose first move is awaited, and whose people have looked at the match."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0027_coached")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="awaited",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Without a first move of its person in time the match is called off",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="came",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Its person has looked at the match since it began, where a tournament asks",
            ),
        ),
    ]
