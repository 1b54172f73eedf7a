"""The account of the house, and since when and from where accounts are there.

The account that opens the matches of tournaments is known by a flag, no more by its name.

What the releases before made by the name is flagged. Where a person has registered the name, they
keep it: the account of the house is made when it is needed, under another one.
"""

from typing import Any

from django.db import migrations, models
from django.db.models import Q

NAME = "cardroom-tournaments"


def flag(apps: Any, _schema: Any) -> None:
    """It never had a password, a key or a kept name; whoever signs up has a password."""
    user = apps.get_model("accounts", "User")
    made = user.objects.filter(
        username=NAME, password__startswith="!", is_guest=False, is_staff=False, is_superuser=False
    )
    made.filter(keys=None, last_login=None, email="", name_skeleton=None).update(is_house=True)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0016_skeletons_in_both_directions")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="is_house",
            field=models.BooleanField(
                db_default=False,
                default=False,
                editable=False,
                help_text="The account that opens the matches of tournaments; it is nobody's",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="registered_at",
            field=models.DateTimeField(
                editable=False,
                help_text="When a guest signed up; others were never guests",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="joined_from",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                editable=False,
                help_text="A keyed hash of the address that it was made from; tells farms of ratings",
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                condition=Q(is_house=True), fields=("is_house",), name="house_has_one_account"
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=Q(is_house=False)
                | Q(password__startswith="!", is_guest=False, is_staff=False, is_superuser=False),
                name="house_is_signed_in_to_by_nobody",
            ),
        ),
        migrations.RunPython(flag, migrations.RunPython.noop),
    ]
