"""Bodies and answers of challenges, bot accounts and plans."""
