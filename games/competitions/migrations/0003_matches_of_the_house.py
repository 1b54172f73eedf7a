"""The matches of tournaments belong to the house, whoever had its name when they were opened."""

from typing import Any

from django.db import migrations
from django.db.models import Exists, OuterRef


def hand_over(apps: Any, _schema: Any) -> None:
    """Where a person was found by the name, an account of the house is made for their matches."""
    user, match = apps.get_model("accounts", "User"), apps.get_model("games", "Match")
    of_boards = apps.get_model("competitions", "BoardMatch").objects.filter(match=OuterRef("pk"))
    wrong = match.objects.filter(Exists(of_boards), creator__is_house=False)
    if not wrong.exists():
        return
    house = user.objects.filter(is_house=True).first() or user.objects.create(
        username=_free_name(user), display_name="Cardroom", password="!", is_house=True
    )
    wrong.update(creator=house)


def _free_name(user: Any) -> str:
    name, number = "cardroom-tournaments", 1
    while user.objects.filter(username__iexact=name).exists():
        number += 1
        name = f"cardroom-tournaments-{number}"
    return name


class Migration(migrations.Migration):
    dependencies = [
        ("competitions", "0002_mirrored"),
        ("accounts", "0017_house_account"),
        ("games", "0027_coached"),
    ]

    operations = [migrations.RunPython(hand_over, migrations.RunPython.noop)]
