"""What each page of the desk shows, and what its forms do."""
