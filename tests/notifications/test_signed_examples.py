"""The functions of the documentation that judge a signature, each in its language (issue 61, 6)."""

import os
import shutil
import subprocess
import sys

import pytest
import time_machine
from django.utils import timezone

from accounts.notifications import endpoints
from tests.docs.blocks import blocks
from tests.patience import PATIENCE, WAITING

pytestmark = [pytest.mark.django_db, WAITING]
BODY = '{"type":"ping","data":{"url":"https://cards.example.org/Pişti"}}'.encode()
NAMES = ("WEBHOOK_ID", "WEBHOOK_TIMESTAMP", "WEBHOOK_SIGNATURE")

# A program around each function: the secret and the headers from its environment, the body from
# standard input, the verdict as its exit status.
PYTHON = """
import os, sys
names = ("webhook-id", "webhook-timestamp", "webhook-signature")
headers = {name: os.environ[name.upper().replace("-", "_")] for name in names}
sys.exit(not is_genuine(os.environ["SECRET"], headers, sys.stdin.buffer.read()))
"""
JAVASCRIPT = """
import { readFileSync } from "node:fs";
const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
const headers = Object.fromEntries(
  names.map((name) => [name, process.env[name.toUpperCase().replace("-", "_")]]));
process.exitCode = isGenuine(process.env.SECRET, headers, readFileSync(0)) ? 0 : 1;
"""
JAVA = """
    public static void main(String[] unused) throws Exception {
        Map<String, String> headers = new java.util.HashMap<>();
        for (String name : new String[] {"webhook-id", "webhook-timestamp", "webhook-signature"})
            headers.put(name, System.getenv(name.toUpperCase().replace('-', '_')));
        byte[] body = System.in.readAllBytes();
        System.exit(isGenuine(System.getenv("SECRET"), headers, body) ? 0 : 1);
    }
}
"""
PERL = """
my %headers = map { $_ => $ENV{uc tr/-/_/r} } qw(webhook-id webhook-timestamp webhook-signature);
binmode STDIN;
exit !is_genuine($ENV{SECRET}, \\%headers, do { local $/; <STDIN> });
"""
SHELL = 'is_genuine "$SECRET" "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" "$WEBHOOK_SIGNATURE"\n'
RUN = {
    "python": ("genuine.py", PYTHON, [sys.executable]),
    "javascript": ("genuine.mjs", JAVASCRIPT, ["node"]),
    "java": ("Webhook.java", JAVA, ["java"]),
    "perl": ("genuine.pl", PERL, ["perl"]),
    "shell": ("genuine.sh", SHELL, ["sh"]),
}


@pytest.fixture(params=[one for one, (_, _, words) in RUN.items() if shutil.which(words[0])])
def judged(request, tmp_path):
    """Whether a call is genuine, as the function of one language says."""
    name, around, words = RUN[request.param]
    (text,) = [one.text for one in blocks("api/webhooks.md") if one.tag == request.param]
    inside = text.rstrip().removesuffix("}") if request.param == "java" else text
    (tmp_path / name).write_text(inside + around, "utf-8")

    def run(secret, headers, body=BODY):
        values = (headers["webhook-id"], headers["webhook-timestamp"], headers["webhook-signature"])
        environment = os.environ | dict(zip(NAMES, values, strict=True)) | {"SECRET": secret}
        done = subprocess.run(
            [*words, name],
            cwd=tmp_path,
            input=body,
            env=environment,
            check=False,
            capture_output=True,
            timeout=PATIENCE,
        )
        assert done.returncode in (0, 1), done.stderr.decode()
        return done.returncode == 0

    return run


def test_a_genuine_call_is_told_from_others(judged, ada):
    hook = endpoints.create(user=ada, url="https://example.org/", kinds=["result"])
    before = endpoints.secret_of(hook)
    after = endpoints.secret_of(endpoints.rotate(account=ada.pk, endpoint_id=hook.pk))
    hook.refresh_from_db()
    headers = endpoints.headers_of(hook, hook.pk, BODY)
    assert judged(after, headers)
    assert judged(before, headers)  # for a day both hold
    assert not judged(before, headers, BODY + b" ")
    assert not judged(before, headers | {"webhook-id": "another"})
    other = endpoints.create(user=ada, url="https://example.org/", kinds=["result"])
    assert not judged(endpoints.secret_of(other), headers)
    with time_machine.travel(timezone.now().timestamp() - 600):
        old = endpoints.headers_of(hook, hook.pk, BODY)
    assert not judged(after, old)


def test_five_languages_are_shown():
    shown = {block.tag for block in blocks("api/webhooks.md")}
    assert set(RUN) <= shown
