"""Erasures that have begun, and the few accounts that are closed; built while people play."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("accounts", "0011_skeletons_by_the_table")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="erasing_since",
            field=models.DateTimeField(editable=False, null=True),
        ),
        AddIndexConcurrently(
            model_name="user",
            index=models.Index(fields=["id"], name="user_closed", condition=Q(is_active=False)),
        ),
    ]
