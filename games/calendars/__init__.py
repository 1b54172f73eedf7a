"""A person's calendar of what waits for them, under an address that is its own key."""
