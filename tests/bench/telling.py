"""How many webhooks a minute one worker calls, and what the beat's look at the turns costs.

`python -m tests.bench.telling` (`--calls 2000 --people 1000`). The receiver is a process of this
machine that takes 50 ms to answer, and one webhook in ten hangs for ten seconds each time. What is
printed is the rate, the processor's time for one call, and the time for one look at all turns of so
many people with channels.
"""

import argparse
import os
import time
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.telling")
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--people", type=int, default=1000)
    asked = parser.parse_args()
    import django

    django.setup()
    from django.test.runner import DiscoverRunner

    runner = DiscoverRunner(verbosity=0, interactive=False)
    databases = runner.setup_databases()
    try:
        calls(asked.calls)
        turns(asked.people)
    finally:
        runner.teardown_databases(databases)


def calls(number: int) -> None:
    from django.conf import settings

    from accounts.notifications import delivering
    from accounts.notifications.models import Delivery, Endpoint
    from accounts.notifications.outbox import Owed, owe_all
    from accounts.services import people
    from tests.notifications.receiver import Receiver

    settings.OUTWARD = {"private": True, "http": True, "ports": []}
    quick, hanging = Receiver(seconds=0.05), Receiver(seconds=10.5)
    users = [people.register(username=f"Bench{n}", password="a long evening") for n in range(20)]
    for n, user in enumerate(users):
        url = (hanging if n % 10 == 0 else quick).url
        Endpoint.objects.create(account=user, url=url, kinds=["result"], nonce=str(n))
    owe_all(Owed(users[n % 20].pk, "result", f"bench:{n}", {}) for n in range(number))
    begun, processor = time.monotonic(), time.process_time()
    while _waits(Delivery, number, quick):
        delivering.deliver(seconds=5)
    seconds, used = time.monotonic() - begun, time.process_time() - processor
    made = len(quick.calls)
    print(f"{made} calls in {seconds:.1f} s: {60 * made / seconds:.0f} a minute")
    print(f"{1000 * used / made:.1f} ms of a processor for each, the receiver's part included")


def _waits(model: Any, number: int, receiver: Any) -> bool:
    return len(receiver.calls) < number * 9 // 10


def turns(number: int) -> None:
    from accounts.models import User
    from accounts.notifications.models import Choices
    from games.causes import turns as causes
    from games.matches.seating import joining
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
