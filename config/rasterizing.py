"""A program of its own: reads an SVG, writes a PNG.

Drawing the pixels holds Python's lock for a quarter of a second, in which a web process would
answer nobody. So it is done elsewhere (`png_of`); nothing of the service is loaded here.
"""

import sys

import resvg_py

if __name__ == "__main__":
    svg = sys.stdin.buffer.read().decode()
    sys.stdout.buffer.write(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))
