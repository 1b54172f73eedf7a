"""Generated names for guests: pleasant to read, unlikely to repeat as usernames."""

import secrets

MOODS = (
    *("amber", "bold", "brave", "breezy", "bright", "calm", "candid", "cheery", "clever", "cosmic"),
    *(
        "cosy",
        "crisp",
        "curious",
        "dapper",
        "daring",
        "eager",
        "early",
        "fair",
        "fearless",
        "fleet",
    ),
    *("fond", "frank", "gentle", "glad", "golden", "grand", "happy", "hardy", "honest", "humble"),
    *("jolly", "keen", "kind", "lively", "loyal", "lucky", "mellow", "merry", "mild", "neat"),
    *(
        "nimble",
        "noble",
        "patient",
        "plucky",
        "polite",
        "proud",
        "quick",
        "quiet",
        "ready",
        "silver",
    ),
    *("sly", "smart", "snug", "spry", "steady", "sunny", "swift", "tidy", "trusty", "upbeat"),
    *("vivid", "warm", "wise", "witty"),
)
ANIMALS = (
    *("badger", "beaver", "bison", "bobcat", "camel", "cat", "cheetah", "crane", "crow", "deer"),
    *("dolphin", "dove", "duck", "eagle", "elk", "falcon", "ferret", "finch", "fox", "gecko"),
    *("goose", "hare", "hawk", "hedgehog", "heron", "horse", "ibex", "jackal", "jay", "koala"),
    *("lark", "lemur", "lion", "lizard", "lynx", "magpie", "marten", "mole", "moose", "newt"),
    *("orca", "otter", "owl", "panda", "pelican", "penguin", "pigeon", "puffin", "quail", "rabbit"),
    *("raccoon", "raven", "robin", "salmon", "seal", "sparrow", "stork", "swan", "tapir", "tiger"),
    *("toad", "walrus", "wolf", "wren"),
)
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without letters that look alike


def guest_name() -> tuple[str, str]:
    """A username and a display name: `brave-otter-x7k2p`, `Brave Otter`."""
    mood, animal = secrets.choice(MOODS), secrets.choice(ANIMALS)
    ending = "".join(secrets.choice(LETTERS) for _ in range(5))
    return f"{mood}-{animal}-{ending}", f"{mood} {animal}".title()


def is_generated(username: str, display_name: str) -> bool:
    """Whether the display name is still the one that was generated with the username."""
    return username.startswith(display_name.lower().replace(" ", "-") + "-")
