"""What accounts have to do with each other: friends, blocks, who may see a profile."""
