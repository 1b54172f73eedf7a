from django.db import migrations

from accounts.skeleton import skeleton

AT_A_TIME = 1000


def draw_again(apps, schema_editor):
    """Each skeleton by the rules of today. Of accounts that look alike now the oldest keeps it.

    The others keep their names, without a skeleton. What changes is cleared first, since one
    account may get what another one had.
    """
    User = apps.get_model("accounts", "User")
    named = User.objects.filter(is_guest=False).exclude(name_skeleton=None)
    taken, changed = set(), []
    for user in named.order_by("date_joined", "pk").only("display_name", "name_skeleton"):
        drawn = skeleton(user.display_name)
        if drawn in taken or drawn != user.name_skeleton:
            changed.append(user)
            user.name_skeleton = None if drawn in taken else drawn
        taken.add(drawn)
    for at in range(0, len(changed), AT_A_TIME):
        ids = [user.pk for user in changed[at : at + AT_A_TIME]]
        User.objects.filter(pk__in=ids).update(name_skeleton=None)
    User.objects.bulk_update(changed, ["name_skeleton"], AT_A_TIME)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0010_local_letters_by_default"),
    ]

    operations = [
        migrations.RunPython(draw_again, migrations.RunPython.noop),
    ]
