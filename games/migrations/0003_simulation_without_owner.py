import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """A simulation may belong to nobody. The previous release runs on beside it."""

    dependencies = [
        ('games', '0002_simulations'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='simulation',
            name='owner',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='simulations', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='simulation',
            name='request',
            field=models.BinaryField(help_text='cardroom.arena.request.SimulationRequest as JSON'),
        ),
        migrations.AlterField(
            model_name='simulation',
            name='claimed',
            field=models.PositiveIntegerField(default=0, help_text='Matches claimed by workers'),
        ),
    ]
