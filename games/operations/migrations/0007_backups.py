import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('operations', '0006_appeals_and_answers'),
    ]

    operations = [
        migrations.CreateModel(
            name='Backup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('name', models.CharField(blank=True, max_length=100)),
                ('size', models.BigIntegerField(default=0, help_text='Bytes')),
                ('seconds', models.FloatField(default=0)),
                ('trial_seconds', models.FloatField(help_text='To restore it beside the database and verify some of its matches', null=True)),
                ('is_elsewhere', models.BooleanField(default=False)),
                ('fault', models.TextField(blank=True)),
            ],
            options={
                'ordering': ['-id'],
                'default_permissions': ('view',),
            },
        ),
    ]
