"""An invitation may be declined with a reason; what became of invitations is told."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0016_archive"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="declined",
            field=models.CharField(
                blank=True,
                choices=[
                    ("game", "Game"),
                    ("time", "Time"),
                    ("busy", "Busy"),
                    ("generic", "Generic"),
                ],
                db_default="",
                default="",
                help_text="Why the invited person declined",
                max_length=8,
            ),
        ),
        migrations.CreateModel(
            name="InvitationNews",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("invited", "Invited"),
                            ("declined", "Declined"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        max_length=9,
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "match",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.match",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "default_permissions": (),
                "indexes": [
                    models.Index(fields=["user", "-match"], name="invitation_news_of_user")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("match", "seat", "user", "kind"),
                        name="invitation_news_is_told_once",
                    )
                ],
            },
        ),
    ]
