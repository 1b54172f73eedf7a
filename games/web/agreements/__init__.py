"""Forms by which people at a table settle things with each other."""
