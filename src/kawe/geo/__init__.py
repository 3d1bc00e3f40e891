"""Places: what coordinates mean, in which system."""
