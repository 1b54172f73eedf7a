"""How long workers were busy with a simulation, so that short ones do not wait for long ones."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0008_open_loads")]

    operations = [
        migrations.AddField(
            model_name="simulation",
            name="seconds",
            field=models.FloatField(
                db_default=0, default=0, help_text="What workers spent on it"
            ),
        ),
    ]
