"""Indexes for searches by the beginning of a name; built while people play."""

from django.contrib.postgres.indexes import OpClass
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models.functions import Upper


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("accounts", "0006_fill_name_skeletons")]

    operations = [
        AddIndexConcurrently(
            model_name="user",
            index=models.Index(
                OpClass(Upper("username"), name="text_pattern_ops"), name="user_by_username"
            ),
        ),
        AddIndexConcurrently(
            model_name="user",
            index=models.Index(
                OpClass(Upper("display_name"), name="text_pattern_ops"), name="user_by_shown_name"
            ),
        ),
    ]
