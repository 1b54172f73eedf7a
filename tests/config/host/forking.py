"""Loads a preloader, forks three processes from it and prints what each of them is and has: JSON.

A program of its own: it becomes the parent of all that its descendants leave behind.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from config.host.supervisor import ChildProcess, Role
from config.host.watch import JUST_NOW, Child, Watch

CHILD = "tests.config.host.forked_child"


def main() -> None:
    folder = Path(sys.argv[1])
    watch = Watch("machine", [], print)
    preloader = watch.load()
    while not preloader.is_loaded():
        watch.sleep()
    before = of_the_preloader(preloader.process.pid)
    watch.use(preloader)
    roles = [Role(f"Child {n}", [CHILD, str(folder / str(n))]) for n in range(3)]
    children = watch.add(roles, preloader)
    while not all((folder / f"{n}.json").exists() for n in range(3)):
        time.sleep(0.02)
    found = {
        "preloader": before,
        "after": of_the_preloader(preloader.process.pid),
        "children": [json.loads((folder / f"{n}.json").read_text()) for n in range(3)],
        "ours": [parent_of(child) for child in children] == [os.getpid()] * 3,
    }
    (rests,) = watch.add(
        [Role("Rests", [CHILD, str(folder / "rests")], on_demand="long")], preloader
    )
    found["begun unasked"] = rests.process is not None
    found["rested"] = list(rested(watch, rests, folder / "rests.json"))
    old = [child.pid for child in children]
    preloader.process.kill()
    preloader.process.wait()
    watch.look()
    found["outlive it"] = [child.pid for child in children] == old
    found["roles"] = [" ".join(role.command) for role in preloader.roles or []]
    watch.end(1.0)
    print(json.dumps(found))


def rested(watch: Watch, child: Child, place: Path) -> Iterator[bool]:
    """Whether it is begun when one of the others has rung, and not again when it has ended."""
    watch.sleep(0)  # the ring is heard
    watch.look()
    yield child.process is not None
    while child.process is not None:
        watch.look()
        time.sleep(0.02)
    time.sleep(JUST_NOW)
    watch.look()
    yield place.exists() and child.process is None


def of_the_preloader(pid: int) -> dict[str, object]:
    place = Path(f"/proc/{pid}")
    links = [str(link.readlink()) for link in (place / "fd").iterdir()]
    return {
        "threads": len(list((place / "task").iterdir())),
        "sockets": sum(link.startswith("socket:") for link in links),
        "files": [link for link in links if link.startswith("/") and link != "/dev/null"],
    }


def parent_of(child: ChildProcess) -> int:
    return int(Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()[1])


if __name__ == "__main__":
    main()
