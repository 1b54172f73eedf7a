from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ratings", "0002_ratings_of_people")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="roundrobin",
            name="version",
            field=models.TextField(db_default=""),
        ),
    ]
