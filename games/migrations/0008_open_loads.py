"""What was told before a load; loads that wait for people, which are looked for all the time."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0007_seats_handed_over")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="past_was_told",
            field=models.BooleanField(
                help_text="Whether anybody could read all that it was loaded from then", null=True
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("parent__isnull", False), ("status", "open")),
                fields=["parent"],
                name="match_loaded_and_open",
            ),
        ),
    ]
