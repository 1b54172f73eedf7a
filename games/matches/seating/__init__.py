"""Taking seats until a match begins: opening, joining, invitations, rematches, limits."""
