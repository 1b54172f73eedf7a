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
# The admin's theme brings Alpine, which evaluates what stands in attributes.
ADMIN_ALSO = {"script-src": [UNSAFE_EVAL, UNSAFE_INLINE], "style-src": [UNSAFE_INLINE]}
