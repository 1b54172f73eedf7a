"""Matches that are over for long may be folded into one row each."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0015_ply_request")]

    operations = [
        migrations.CreateModel(
            name="ArchiveDictionary",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("game", models.CharField(max_length=32)),
                ("data", models.BinaryField()),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
            options={"verbose_name_plural": "archive dictionaries", "default_permissions": ()},
        ),
        migrations.CreateModel(
            name="ArchivedMatch",
            fields=[
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="archived",
                        serialize=False,
                        to="games.match",
                    ),
                ),
                ("data", models.BinaryField()),
                (
                    "archived_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "dictionary",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.archivedictionary",
                    ),
                ),
            ],
            options={"verbose_name_plural": "archived matches", "default_permissions": ()},
        ),
    ]
