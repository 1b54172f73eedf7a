"""Files of records, a line each, packed or not, with their checksums beside them."""

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from io import BufferedIOBase
from pathlib import Path

from django.core.management.base import CommandError

from cardroom.rules.record import MAX_BYTES


def checksum_of(file: Path) -> Path:
    return file.with_name(file.name + ".sha256")


def check_sum(file: Path) -> None:
    """Raises CommandError if there is a checksum and it is not the file's."""
    if not file.is_file():
        raise CommandError(f"There is no file {file}.")
    checksum = checksum_of(file)
    if not checksum.exists():
        return
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    if not checksum.read_text("utf-8").startswith(digest):
        raise CommandError(f"{file} is not the file that {checksum} is the checksum of.")


def numbered_lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """Each line with its number, without empty ones.

    A line that is longer than any record ends the command before it is read whole.
    """
    number = 0
    try:
        with _opened(file) as lines:
            while line := lines.readline(MAX_BYTES + 2):
                number += 1
                if line.strip():
                    yield number, line.rstrip(b"\r\n")
                if len(line) > MAX_BYTES + 1:
                    raise CommandError(f"line {number} is too long for a record.")
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise CommandError(f"{file} cannot be unpacked after line {number}: {error}") from error


def _opened(file: Path) -> BufferedIOBase:
    with file.open("rb") as begin:
        packed = begin.read(2) == b"\x1f\x8b"
    return gzip.open(file, "rb") if packed else file.open("rb")
