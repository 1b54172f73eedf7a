"""What a simulation says: its report, summary and plots; the forecast of house rules."""
