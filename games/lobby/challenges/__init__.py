"""A person is asked for one match on full terms, until a time: made, answered, expired, read."""
