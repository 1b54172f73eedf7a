"""Rounds that a roll-back undid stay, so a number may stand there twice."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0009_seconds_of_simulations'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='round',
            options={'ordering': ['match', 'opening_version']},
        ),
        migrations.RemoveConstraint(
            model_name='round',
            name='round_is_numbered_once',
        ),
        migrations.AddField(
            model_name='round',
            name='reopened',
            field=models.BinaryField(null=True),
        ),
        migrations.AddField(
            model_name='round',
            name='undone_at',
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(condition=models.Q(('undone_at__isnull', True)), fields=('match', 'number'), name='standing_round_is_numbered_once'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(fields=('match', 'opening_version', 'number'), name='round_opens_once'),
        ),
    ]
