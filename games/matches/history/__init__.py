"""What a match was: loading from it, rolling it back, folding it, verifying it."""
