"""Who sits where until a match begins: opening, joining, invitations, rematches, limits."""
