"""What the beat's look at all turns costs among so many people with channels.

`python -m tests.bench.deriving` (`--people 1000`), on the database of the tests.
"""

import argparse
import os
import time

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.deriving")
    parser.add_argument("--people", type=int, default=1000)
    wanted = parser.parse_args()
    import django

    django.setup()
    from django.test.runner import DiscoverRunner

    runner = DiscoverRunner(verbosity=0, interactive=False)
    databases = runner.setup_databases()
    try:
        turns(wanted.people)
    finally:
        runner.teardown_databases(databases)


def turns(number: int) -> None:
    from accounts.models import User
    from accounts.notifications.models import Choices
    from games import causes
    from games.matches import joining
    from tests.matches.scenes import opened

    people = [User(username=f"Turn{n}", display_name=f"T{n}", password="!") for n in range(number)]
    User.objects.bulk_create(people)
    Choices.objects.bulk_create(Choices(account=one, push=["your_turn"]) for one in people)
    for one, other in zip(people[:200:2], people[1:200:2], strict=True):
        joining.join(match_id=opened(one, "me, open").id, user=other)
    begun = time.monotonic()
    owed = causes.owed()
    print(
        f"one look at the turns of {number} people with channels: "
        f"{1000 * (time.monotonic() - begun):.1f} ms, {len(owed)} owed"
    )


if __name__ == "__main__":
    main()
