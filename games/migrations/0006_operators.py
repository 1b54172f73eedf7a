"""Notices to players, seats that a bot plays for their person, the rights of operators."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0005_simulation_parts_pause'),
    ]

    operations = [
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('text', models.CharField(max_length=500)),
            ],
            options={
                'ordering': ['match', 'id'],
                'default_permissions': ('view',),
            },
        ),
        migrations.AlterModelOptions(
            name='match',
            options={'ordering': ['-id'], 'permissions': [('abort_match', 'Can abort a match'), ('repair_match', 'Can pay bot turns, hand seats to bots and change deadlines'), ('adjudicate_match', 'Can decide a match'), ('roll_back_match', 'Can roll a match back to a round'), ('close_match', 'Can close a match to spectators and write to its players'), ('audit_match', 'Can verify a match by replay and export its record'), ('watch_private_match', 'Can open the table of a private match'), ('see_hidden_cards', 'Can see the table of a running match as its seats see it')], 'verbose_name_plural': 'matches'},
        ),
        migrations.AddField(
            model_name='seat',
            name='stand_in',
            field=models.CharField(blank=True, db_default='', default='', help_text='The bot that plays for its person', max_length=64),
        ),
        migrations.AddField(
            model_name='notice',
            name='match',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='games.match'),
        ),
    ]
