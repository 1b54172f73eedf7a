"""The client in JavaScript against the service itself: every call, lost connections, streams."""

import json
import re
import shutil
import subprocess
from pathlib import Path

from config.api.document import operations
from games.web.app import CLIENTS_FOLDER
from tests.api.test_examples import document
from tests.patience import PATIENCE, WAITING

pytestmark = WAITING
FILE = CLIENTS_FOLDER / "cardroom.js"


METHOD = re.compile(r"^  (?:static )?(?:async )?\*?([a-z_]+)\(", re.MULTILINE)


def test_every_operation_is_a_method():
    named = {operation["operationId"] for _, _, operation in operations(document())}
    assert named <= set(METHOD.findall(FILE.read_text("utf-8")))
    version = re.search(r'VERSION = "(\d+)\.', FILE.read_text("utf-8"))
    assert version[1] == document()["info"]["version"]


def every_call_is_made(url, tmp_path: Path):
    for file in (FILE, Path(__file__).with_name("calls.mjs")):
        shutil.copy(file, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    command = ["node", "calls.mjs", url]
    done = subprocess.run(
        command, check=False, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    called = json.loads(done.stdout)
    for path, method, operation in operations(document()):
        pattern = re.compile(f"{method.upper()} " + re.sub(r"{\w+}", "[^/]+", path) + "$")
        assert any(map(pattern.match, called)), operation["operationId"]


if shutil.which("node"):
    test_every_call_is_made = every_call_is_made
