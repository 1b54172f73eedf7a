"""Test calls, and the beginning of what a webhook answered."""

from django.db import migrations, models

KINDS = (
    *("your_turn", "invitation", "challenge", "result", "friend", "tournament", "league"),
    *("operator", "match", "ping"),
)


class Migration(migrations.Migration):
    dependencies = [("notifications", "0003_webhooks_of_a_match")]

    operations = [
        migrations.AddField(
            "attempt",
            "answer",
            models.TextField(blank=True, db_default="", default="", editable=False),
        ),
        migrations.AlterField(
            "cause",
            "kind",
            models.CharField(choices=[(kind, kind) for kind in KINDS], max_length=16),
        ),
    ]
