"""What was sent in a period, from every side: counts that must be equal."""
