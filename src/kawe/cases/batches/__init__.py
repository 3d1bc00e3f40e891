"""A batch: checked, planned, approved, submitted, reported."""
