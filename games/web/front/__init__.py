"""What a visitor meets first: the deal that plays itself, the own matches and results, the look."""
