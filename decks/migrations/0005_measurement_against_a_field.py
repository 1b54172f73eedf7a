from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('decks', '0004_measurement_is_a_simulation'),
    ]

    operations = [
        migrations.AlterField(
            model_name='measurement',
            name='against',
            field=models.CharField(max_length=120),
        ),
    ]
