"""Pictures drawn by the service: an SVG as pixels, and the logo of the place.

The pixels are drawn by another process: that takes Python's lock for a quarter of a second, in
which a web process would answer nobody. Nothing of the service is loaded there.
"""

import re
import subprocess
import sys
from base64 import b64encode
from threading import BoundedSemaphore
from typing import Final
from xml.etree import ElementTree

from config.api.errors import Unavailable
from config.settings.club import LOGO_PIXELS, PNG

PROGRAM: Final = """
import sys, resvg_py
svg = sys.stdin.buffer.read().decode()
sys.stdout.buffer.write(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))
"""
RASTERIZED_AT_ONCE: Final = 2  # a web process has other things to do
RASTERIZING_SECONDS: Final = 10

_free: Final = BoundedSemaphore(RASTERIZED_AT_ONCE)


def png_of(svg: str) -> bytes:
    """Raises ``Unavailable`` when it takes too long."""
    if not _free.acquire(timeout=RASTERIZING_SECONDS):
        raise Unavailable
    try:
        command = [sys.executable, "-P", "-c", PROGRAM]
        done = subprocess.run(
            command,
            input=svg.encode(),
            capture_output=True,
            timeout=RASTERIZING_SECONDS,
            check=True,
        )
    except subprocess.SubprocessError as error:
        raise Unavailable from error
    finally:
        _free.release()
    return done.stdout


# The logo: of a file only what is drawn is kept. Shapes and colours of an SVG are copied by lists,
# so nothing of it runs, loads or repeats itself; both kinds of files become the same small PNG.

MOST_BYTES: Final = 48_000  # with its form less than BODY_LIMIT
MOST_ELEMENTS: Final = 3000
MOST_DEPTH: Final = 40
MOST_PIXELS: Final = 4096  # a side of a PNG
ELEMENTS: Final = frozenset(
    "svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop "  # noqa: SIM905
    "clipPath style".split()
)
ATTRIBUTES: Final = frozenset(
    "class clip-path clip-rule clipPathUnits cx cy d display fill fill-opacity fill-rule fx fy "  # noqa: SIM905
    "gradientTransform gradientUnits height href id offset opacity points r rx ry spreadMethod "
    "stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap "
    "stroke-linejoin stroke-miterlimit stroke-opacity stroke-width style transform viewBox "
    "visibility width x x1 x2 y y1 y2".split()
)
_OWN: Final = re.compile(r"url\(\s*['\"]?#[\w.:-]+['\"]?\s*\)")
_LENGTH: Final = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(?:px)?\s*")


def drawn_logo(file: bytes) -> str:
    """The picture of a file, base64; empty without a file. Raises ``ValueError``."""
    if not file:
        return ""
    if len(file) > MOST_BYTES:
        raise ValueError
    png = png_of(_embedded(file) if file.startswith(PNG) else _copied(file))
    if png == png_of(_framed("")):
        raise ValueError  # nothing is to be seen
    return b64encode(png).decode()


def _framed(inside: str, box: str = f"0 0 {LOGO_PIXELS} {LOGO_PIXELS}") -> str:
    size = f'width="{LOGO_PIXELS}" height="{LOGO_PIXELS}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="{box}">{inside}</svg>'


def _embedded(file: bytes) -> str:
    sides = int.from_bytes(file[16:20]), int.from_bytes(file[20:24])
    if not all(0 < side <= MOST_PIXELS for side in sides):
        raise ValueError
    address = f"data:image/png;base64,{b64encode(file).decode()}"
    return _framed(f'<image width="{LOGO_PIXELS}" height="{LOGO_PIXELS}" href="{address}"/>')


def _copied(file: bytes) -> str:
    text = file.decode("utf-8-sig")
    if "<!ENTITY" in text:
        raise ValueError
    try:
        root = ElementTree.fromstring(text)  # noqa: S314  # without entities it cannot grow
    except ElementTree.ParseError:
        raise ValueError from None
    if _local(root.tag) != "svg" or sum(1 for _ in root.iter()) > MOST_ELEMENTS:
        raise ValueError
    box = root.get("viewBox") or f"0 0 {_length(root, 'width')} {_length(root, 'height')}"
    sides = [float(part) for part in box.replace(",", " ").split()]
    if len(sides) != 4 or min(sides[2:]) <= 0:
        raise ValueError
    inside = (_element(child) for child in root if _local(child.tag) in ELEMENTS)
    parts = (ElementTree.tostring(one, encoding="unicode") for one in inside)
    return _framed("".join(parts), " ".join(map(str, sides)))


def _element(source: ElementTree.Element, depth: int = 0) -> ElementTree.Element:
    if depth > MOST_DEPTH:
        raise ValueError
    copy = ElementTree.Element(_local(source.tag))
    for name, value in source.items():
        is_reference = _local(name) == "href"
        if _local(name) in ATTRIBUTES and (value[:1] == "#" if is_reference else _is_own(value)):
            copy.set(_local(name), value)
    if copy.tag == "style" and _is_own(source.text or ""):
        copy.text = source.text
    copy.extend(_element(one, depth + 1) for one in source if _local(one.tag) in ELEMENTS)
    return copy


def _is_own(value: str) -> bool:
    """Names nothing outside of the drawing."""
    rest = _OWN.sub("", value).lower()
    return "url" not in rest and "@" not in rest and "\\" not in rest


def _local(name: object) -> str:
    """Without its namespace; comments have no name."""
    return name.rpartition("}")[2] if isinstance(name, str) else ""


def _length(root: ElementTree.Element, name: str) -> str:
    length = _LENGTH.fullmatch(root.get(name, ""))
    if length is None:
        raise ValueError
    return length[1]
