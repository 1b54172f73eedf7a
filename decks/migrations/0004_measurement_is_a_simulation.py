import django.db.models.deletion
from django.db import migrations, models


def counter():
    return models.PositiveIntegerField(db_default=0)


class Migration(migrations.Migration):
    """A measurement points to its simulation; what was measured before is measured again.

    The old columns stay in the table with defaults, unknown to the models, so that the previous
    release can read and write it while servers are replaced one by one. The next migration of this
    app drops them.
    """

    dependencies = [
        ('decks', '0003_measurement_against'),
        ('games', '0003_simulation_without_owner'),
    ]

    operations = [
        migrations.AddField(
            model_name='measurement',
            name='simulation',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='measurement', to='games.simulation'),
        ),
        migrations.RemoveConstraint(model_name='measurement', name='played_and_won_add_up'),
        migrations.AlterField(model_name='measurement', name='wanted', field=counter()),
        migrations.AlterField(model_name='measurement', name='played', field=counter()),
        migrations.AlterField(model_name='measurement', name='won', field=counter()),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name='measurement', name=name)
                for name in ('wanted', 'played', 'won', 'moved_at')
            ],
        ),
    ]
