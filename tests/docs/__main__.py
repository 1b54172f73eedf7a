"""`python -m tests.docs`: draws the pictures of docs/architecture.md again, from the imports,
and writes docs/pieces.md, from the definitions.
"""

from tests.docs import pieces
from tests.docs.pictures import PICTURES, drawn


def main() -> None:
    for name in PICTURES:
        PICTURES[name].write_text(drawn(name), "utf-8")
        print(PICTURES[name])
    pieces.PAGE.write_text(pieces.page(), "utf-8")
    print(pieces.PAGE)


if __name__ == "__main__":
    main()
