"""What a page may load: everything from here, no script inside the page."""

from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE

POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
# The admin alone. Its theme brings Alpine, which evaluates what stands in attributes and writes
# style attributes; no script stands in a page. The two style elements, of the theme's colours and
# of its htmx, are known by their content: `make e2e` prints what another release brings.
ADMIN_ALSO = {
    "script-src": [UNSAFE_EVAL],
    "style-src": [
        "'sha256-CftXQ/6rIQ3AMOrJUsQzoK+KGLgk4scJJlfXyvE/1mQ='",
        "'sha256-bsV5JivYxvGywDAZ22EZJKBFip65Ng9xoJVLbBg7bdo='",
    ],
    "style-src-attr": [UNSAFE_INLINE],
}
# The documentation alone: its search opens in a shadow root with a style element of its own, known
# by its content as above.
DOCUMENTATION_ALSO = {"style-src": ["'sha256-NwSx/R2V/U4jnW0Tq5pQ53Y/rzPVJ4dqE7D6UTA/J1k='"]}
