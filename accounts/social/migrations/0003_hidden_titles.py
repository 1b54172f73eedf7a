from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('social', '0002_friends'),
    ]

    operations = [
        migrations.AddField(
            model_name='privacy',
            name='hides_titles',
            field=models.BooleanField(db_default=False, default=False, help_text='The profile shows no titles'),
        ),
    ]
