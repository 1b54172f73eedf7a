"""Checks `docker/kubernetes`: the chart by Helm, every manifest by the published schemas.

``make kubernetes`` runs it; with ``--write`` it renders the chart into `base/cardroom.yaml`. Helm
is taken from PATH, `kubernetes-validate`, which brings the schemas of each release, from PyPI by
uv. What is not there is said and left out.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
HERE = ROOT / "docker" / "kubernetes"
CHART, RENDERED = HERE / "chart", HERE / "base" / "cardroom.yaml"
HEAD = "# What ../chart makes with its values: make kubernetes KUBERNETES=--write, with Helm.\n"
RELEASES = ("1.30", "1.34")
VALIDATE = (
    "--quiet",
    "tool",
    "run",
    "--from",
    "kubernetes-validate==1.37.0",
    "kubernetes-validate",
)


def main() -> int:
    wrong = _check_chart(write="--write" in sys.argv)
    uv = ROOT / ".venv" / "bin" / "uv"
    for release in RELEASES:
        for file in (RENDERED, HERE / "base" / "namespace.yaml"):
            words = [uv, *VALIDATE, "--kubernetes-version", release, "--strict", "--quiet", file]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            wrong += done.returncode != 0
            told = done.stderr.strip() or done.stdout.strip() or "valid"
            print(f"{file.name}, Kubernetes {release}: {told}")
    return int(wrong > 0)


def _check_chart(*, write: bool) -> int:
    helm = shutil.which("helm")
    if helm is None:
        print("Helm is not on this machine: the chart was not linted, nor compared with base/.")
        return 0
    subprocess.run([helm, "lint", "--strict", CHART], check=True)
    words = [helm, "template", "cardroom", CHART, "--namespace", "cardroom"]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    if write:
        RENDERED.write_text(HEAD + text)
    if same := _by_name(text) == _by_name(RENDERED.read_text()):
        print("base/cardroom.yaml is what the chart makes.")
    else:
        print("base/cardroom.yaml differs from the chart: make kubernetes KUBERNETES=--write")
    return int(not same)


def _by_name(text: str) -> dict[tuple[str, str], Any]:
    return {(one["kind"], one["metadata"]["name"]): one for one in yaml.safe_load_all(text) if one}


if __name__ == "__main__":
    sys.exit(main())
