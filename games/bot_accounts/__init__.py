"""Bot accounts: programs that play by the API as what they are, in the name of a person."""
