"""What a check is, and how its failure reads."""
