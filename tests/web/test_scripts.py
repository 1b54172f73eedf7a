"""Scripts ask a browser to remember through one module, which does without where it refuses."""

import re
from pathlib import Path

from django.contrib.staticfiles import finders

ROOT = Path(finders.find("games/js/storage.js")).parents[4]
REFUSED = re.compile(r'(?<!")\b(?:localStorage|sessionStorage|indexedDB)\b|window\[|\.cookie')
OURS = [
    path
    for folder in ("games", "accounts", "decks")
    for path in (ROOT / folder).rglob("*.js")
    if "vendor" not in path.parts
]


def test_only_one_script_touches_what_a_browser_keeps():
    assert len(OURS) > 30
    assert {path.name for path in OURS if REFUSED.search(path.read_text())} == {"storage.js"}
    text = Path(finders.find("games/js/storage.js")).read_text()
    assert text.count("window[where]") == text.count("try {") == text.count("} catch {") == 2
