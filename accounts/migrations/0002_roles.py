from django.db import migrations


def make_roles(apps, _schema_editor):
    """Empty: `accounts.staff_pages` gives them their permissions once those exist."""
    groups = apps.get_model('auth', 'Group').objects
    for role in ('viewer', 'referee', 'administrator'):
        groups.get_or_create(name=role)


class Migration(migrations.Migration):
    """The roles of staff. The previous release does not know them and runs on beside them."""

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.RunPython(make_roles, migrations.RunPython.noop),
    ]
