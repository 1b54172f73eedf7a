"""`python -m tests.docs`: draws the pictures of docs/architecture.md again, from the imports."""

from tests.docs.pictures import PICTURES, drawn


def main() -> None:
    for name in PICTURES:
        PICTURES[name].write_text(drawn(name), "utf-8")
        print(PICTURES[name])


if __name__ == "__main__":
    main()
