"""What commands print and log, and how they end."""
