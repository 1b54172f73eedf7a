"""What programs need among people: challenges, bot accounts, plans."""
