"""What people look for in a lobby, whom they know, and who is here."""
