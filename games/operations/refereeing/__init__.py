"""What referees decide: judgements, acts in bulk, conflicts of interest."""
