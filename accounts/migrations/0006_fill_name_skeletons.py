from django.db import migrations

from accounts.skeleton import skeleton

AT_A_TIME = 1000


def fill(apps, schema_editor):
    """The oldest account keeps the name; those that look like it keep theirs, without a skeleton."""
    User = apps.get_model("accounts", "User")
    taken = set(User.objects.exclude(name_skeleton=None).values_list("name_skeleton", flat=True))
    missing = User.objects.filter(is_guest=False, name_skeleton=None).order_by("date_joined", "pk")
    changed = []
    for user in missing.only("pk", "display_name").iterator(AT_A_TIME):
        user.name_skeleton = skeleton(user.display_name)
        if user.name_skeleton not in taken:
            taken.add(user.name_skeleton)
            changed.append(user)
    User.objects.bulk_update(changed, ["name_skeleton"], AT_A_TIME)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_name_skeletons"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
