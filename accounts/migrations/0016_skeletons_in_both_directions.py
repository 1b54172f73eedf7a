from importlib import import_module

from django.db import migrations

draw_again = import_module("accounts.migrations.0011_skeletons_by_the_table").draw_again


class Migration(migrations.Migration):
    """Skeletons by the table of look-alikes read in both directions."""

    dependencies = [
        ("accounts", "0015_browser_sessions"),
    ]

    operations = [
        migrations.RunPython(draw_again, migrations.RunPython.noop),
    ]
