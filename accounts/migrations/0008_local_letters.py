from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_find_people_by_name")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="local_letters",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
