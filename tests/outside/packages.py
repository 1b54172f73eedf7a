"""Packages of games as pip would have installed them: modules and the facts about them, in a folder
that stands on the path."""

from pathlib import Path
from textwrap import dedent

from cardroom.rules.outside import LIBRARY, written

HIGH_CARD = "from dataclasses import replace\nfrom tests.fifth_game import GAME as KNOWN\n"


def installed(
    folder: Path,
    slug: str,
    source: str,
    *,
    needs: str = f"{LIBRARY}~={written()}",
    version: str = "1.2",
    module: str = "",
) -> str:
    """Installs ``<slug>-cardroom`` with one module, whose name it returns."""
    module = module or f"{slug.replace('-', '_')}_cardroom"
    (folder / module).mkdir(parents=True)
    (folder / module / "__init__.py").write_text(dedent(source), encoding="utf-8")
    facts = folder / f"{module}-{version}.dist-info"
    facts.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {slug}-cardroom\nVersion: {version}\n"
    metadata += f"Requires-Dist: {needs}\n" if needs else ""
    (facts / "METADATA").write_text(metadata, encoding="utf-8")
    (facts / "entry_points.txt").write_text(
        f"[cardroom.games]\n{slug} = {module}:GAME\n", encoding="utf-8"
    )
    return module


def another(slug: str, changes: str = "") -> str:
    """High Card under this slug; ``changes`` are further keywords for ``replace``."""
    return f"{HIGH_CARD}GAME = replace(KNOWN, slug={slug!r}, {changes})\n"
