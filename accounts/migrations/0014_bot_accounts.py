"""Accounts that programs play with, and say so."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0013_key_connection")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="is_bot",
            field=models.BooleanField(
                db_default=False, default=False, editable=False, help_text="A program plays with it"
            ),
        ),
    ]
