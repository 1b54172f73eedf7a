"""`make messages`: brings the catalogues up to date with the sources and compiles them."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("CARDROOM_ONE_MACHINE", "1")
for name in ("SECRET_KEY", "DATABASE_URL", "VALKEY_URL"):  # nothing is connected
    os.environ.setdefault(
        name, "redis://nowhere" if name == "VALKEY_URL" else "postgres://nowhere/x"
    )


def main() -> None:
    django.setup()
    from tests.messages import catalogs
    from tests.messages.sources import all_messages

    messages = all_messages()
    for language in catalogs.LANGUAGES:
        catalog = catalogs.updated(language, messages)
        catalogs.write(language, catalog)
        left = catalogs.missing(catalog, messages)
        print(f"{language}: {len(messages)} messages, {len(left)} not translated")


if __name__ == "__main__":
    main()
