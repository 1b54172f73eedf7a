from django.db import migrations, models


def choose_local(apps, schema_editor):
    """International letters were what nobody had to choose; now the local ones are."""
    apps.get_model("accounts", "User").objects.filter(local_letters=False).update(
        local_letters=True
    )


class Migration(migrations.Migration):
    atomic = False  # no lock of the table is held while its rows change
    dependencies = [("accounts", "0009_in_archive")]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="local_letters",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.RunPython(choose_local, migrations.RunPython.noop),
    ]
