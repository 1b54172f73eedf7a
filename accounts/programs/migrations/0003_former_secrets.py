"""The secret before the newest one, which holds for another day."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("programs", "0002_repeated_refreshes"),
        ("allauth_idp_oidc", "0003_client_allow_uri_wildcards"),
    ]

    operations = [
        migrations.CreateModel(
            name="FormerSecret",
            fields=[
                (
                    "client",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="former_secret",
                        serialize=False,
                        to="allauth_idp_oidc.client",
                    ),
                ),
                ("secret", models.CharField(editable=False, max_length=200)),
                ("until", models.DateTimeField()),
            ],
            options={"default_permissions": ()},
        ),
    ]
