"""Until when a challenge waits; the index is built while matches go on."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0024_status_in_creators_index")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="answer_by",
            field=models.DateTimeField(
                help_text="Of a challenge: until then it can be accepted; a no calls it off",
                null=True,
            ),
        ),
        AddIndexConcurrently(
            model_name="match",
            index=models.Index(
                condition=models.Q(("answer_by__isnull", False), ("status", "open")),
                fields=["answer_by"],
                name="match_answer_due",
            ),
        ),
    ]
