"""What the beat finds undone: passed deadlines, turns nobody played."""
