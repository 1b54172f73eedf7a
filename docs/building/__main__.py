"""Builds the site into a folder, `site/` of the tree if none is named."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from docs.building.links import Links
from docs.building.outside import faults, move_scripts_out
from docs.building.pages import DOCS, ROOT, SETTINGS, Fault, pages, source

DEFAULT: Final = ROOT / "site"
TAKEN: Final = (DOCS / "extra.css", ROOT / "games/static/games/img/favicon.svg")
# The service has its own page for what is not there, and a map would need the service's address.
NOT_SERVED: Final = ("404.html", "sitemap.xml")


def stage(folder: Path) -> None:
    """Writes what Zensical reads: its settings, and all pages with their pictures."""
    staged = folder / "pages"
    sources = {source(page): page for page in pages()}
    for file, page in sources.items():
        text = Links(page, sources, staged).lead(file.read_text("utf-8"))
        (staged / page).parent.mkdir(parents=True, exist_ok=True)
        (staged / page).write_text(text, "utf-8")
    for file in TAKEN:
        shutil.copy(file, staged)
    shutil.copy(SETTINGS, folder)


def run_zensical(folder: Path) -> Path:
    """The site; a link that leads nowhere is a fault."""
    command = [str(Path(sys.executable).with_name("zensical")), "build", "--strict"]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        raise Fault(f"{done.stdout}{done.stderr}".partition("Traceback")[0])
    return folder / "site"


def build(target: Path) -> None:
    """Replaces the folder by the site; a fault leaves it as it was."""
    with tempfile.TemporaryDirectory(prefix="cardroom-docs-") as folder:
        stage(Path(folder))
        site = run_zensical(Path(folder))
        for name in NOT_SERVED:
            (site / name).unlink(missing_ok=True)
        move_scripts_out(site)
        if all_faults := list(faults(site)):
            raise Fault("\n".join(all_faults))
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(site, target)


def main(target: Path = DEFAULT) -> None:
    try:
        build(target)
    except Fault as fault:
        sys.exit(f"The documentation was not built.\n{fault}")
    print(f"The documentation is in {target}.")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
