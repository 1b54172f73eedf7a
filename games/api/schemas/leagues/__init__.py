"""Bodies of the calls about leagues."""
