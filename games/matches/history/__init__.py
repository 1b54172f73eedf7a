"""The past of a match: loading from it, rolling it back, folding it, verifying it."""
