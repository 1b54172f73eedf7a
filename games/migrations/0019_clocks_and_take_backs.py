"""Banks of time, and the wish to take a round back; both are null for most matches."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0018_match_finished")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="clock",
            field=models.BinaryField(
                help_text="The banks of time of the people, where the match has them", null=True
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="take_back",
            field=models.BinaryField(
                help_text="The last wish of the players to take a round back", null=True
            ),
        ),
    ]
