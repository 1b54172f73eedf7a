"""Tournaments that wait for the word of whom they belong to."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("competitions", "0003_matches_of_the_house")]

    operations = [
        migrations.AddField(
            "tournament",
            "by_hand",
            models.BooleanField(
                default=False,
                db_default=False,
                help_text="Begins when its creator says so or it is full, at starts_at at the latest",
            ),
        ),
    ]
