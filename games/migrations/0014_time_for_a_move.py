"""What happens when the time for a move is up; seats that the clock handed to a bot; given time."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0013_match_open")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="on_timeout",
            field=models.CharField(
                choices=[
                    ("resign", "Resign"),
                    ("bot_move", "Bot Move"),
                    ("bot_takes_over", "Bot Takes Over"),
                ],
                db_default="resign",
                default="resign",
                max_length=16,
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="handed_by_clock",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text=(
                    "The bot plays since its person's time was up; the person may take it back"
                ),
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="extra_seconds",
            field=models.IntegerField(
                db_default=0, default=0, help_text="Time beyond the limit for one choice"
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="extra_version",
            field=models.PositiveIntegerField(
                help_text="The version since which the time of that choice runs", null=True
            ),
        ),
    ]
