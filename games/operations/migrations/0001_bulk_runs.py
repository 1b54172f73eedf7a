"""Acts of operators on many matches at a time."""

import config.uuid7
import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('games', '0007_seats_handed_over'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='BulkRun',
            fields=[
                ('id', models.UUIDField(default=config.uuid7.uuid7, editable=False, primary_key=True, serialize=False)),
                ('act', models.CharField(max_length=32)),
                ('values', models.JSONField(default=dict)),
                ('match_ids', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None)),
                ('reason', models.TextField(blank=True)),
                ('done', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('confirmed_at', models.DateTimeField(null=True)),
                ('worked_at', models.DateTimeField(help_text='When a worker last took a match', null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'default_permissions': ('view',),
            },
        ),
        migrations.CreateModel(
            name='BulkResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('succeeded', models.BooleanField()),
                ('said', models.CharField(max_length=500)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.match')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='operations.bulkrun')),
            ],
            options={
                'ordering': ['run', 'id'],
                'default_permissions': (),
            },
        ),
        migrations.AddConstraint(
            model_name='bulkrun',
            constraint=models.CheckConstraint(condition=models.Q(('confirmed_at__isnull', False), ('done', 0), _connector='OR'), name='bulk_run_waits_for_its_confirmation'),
        ),
        migrations.AddConstraint(
            model_name='bulkresult',
            constraint=models.UniqueConstraint(fields=('run', 'match'), name='bulk_result_is_there_once'),
        ),
    ]
