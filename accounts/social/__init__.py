"""Relations between accounts: friends, blocks, who may see a profile."""
