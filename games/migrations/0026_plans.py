"""What seats play when their turn comes, and a number of each match that changes with it."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0025_challenges")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="plans",
            field=models.PositiveIntegerField(
                db_default=0,
                default=0,
                help_text="Another number with each change; odd: a plan stands",
            ),
        ),
        migrations.CreateModel(
            name="Plan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("steps", models.BinaryField()),
                (
                    "dropped",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("no_line", "No Line"),
                            ("refused", "Refused"),
                            ("by_hand", "By Hand"),
                            ("rolled_back", "Rolled Back"),
                            ("given_up", "Given Up"),
                            ("over", "Over"),
                        ],
                        default="",
                        max_length=11,
                    ),
                ),
                ("dropped_version", models.PositiveIntegerField(null=True)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "match",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.match",
                    ),
                ),
            ],
            options={"default_permissions": ()},
        ),
        migrations.AddConstraint(
            model_name="plan",
            constraint=models.UniqueConstraint(fields=("match", "seat"), name="seat_has_one_plan"),
        ),
    ]
