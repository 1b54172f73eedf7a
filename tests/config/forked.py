"""Code in a process of its own that has the libraries already: it reads the settings anew.

A new interpreter takes most of a second to import Django and what belongs to it. A fork of this one
has them; it forgets what was read of ``config`` and the environment, and so reads both again.
"""

import os
import sys
import traceback
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory

from django.conf import settings
from django.utils.functional import empty

OURS = ("config", "tests")


def forked(code: str, environment: dict[str, str], *more: str) -> CompletedProcess[str]:
    """The output and exit status of ``python -c`` with this environment.

    ``more`` are libraries that are read anew, too.
    """
    with TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("out", "err")]
        child = os.fork()
        if not child:
            _be(code, environment, files, more)
        _, status = os.waitpid(child, 0)
        out, err = (file.read_text() for file in files)
    return CompletedProcess(code, os.waitstatus_to_exitcode(status), out, err)


def _be(code: str, environment: dict[str, str], files: list[Path], more: tuple[str, ...]) -> None:
    """Never returns: nothing of the tests is run or cleaned up in the fork."""
    status = 1
    try:
        for number, file in enumerate(files, 1):
            os.dup2(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600), number)
        sys.stdout, sys.stderr = (os.fdopen(number, "w") for number in (1, 2))
        os.environ.clear()
        os.environ.update(environment)
        for name in [name for name in sys.modules if name.partition(".")[0] in (*OURS, *more)]:
            del sys.modules[name]
        settings._wrapped = empty
        exec(compile(code, "<forked>", "exec"), {"__name__": "__main__"})
        status = 0
    except BaseException:  # noqa: BLE001 - as an interpreter ends
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
