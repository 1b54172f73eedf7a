"""`make examples`: every command of the documents that ends by itself, as it stands there.

`make test` runs those that play, small and by the rules; here they take about a quarter of an hour.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from docs.building import ROOT
from tests.docs.blocks import DOCUMENTS, bot_of, commands


def run(document: str, folder: Path) -> None:
    (folder / "my_bots.py").write_text(bot_of(document), "utf-8")
    environment = os.environ | {"PYTHONPATH": f"{ROOT}:{folder}"}
    for words in commands(document):
        print(f"\033[1m{document}: python {' '.join(words)}\033[0m", flush=True)
        typed = [str(ROOT / words[0]), *words[1:]] if words[0] == "manage.py" else words
        subprocess.run([sys.executable, *typed], cwd=folder, env=environment, check=True)


def main() -> None:
    for document in DOCUMENTS:
        with tempfile.TemporaryDirectory(prefix="cardroom-examples-") as folder:
            run(document, Path(folder))


if __name__ == "__main__":
    main()
