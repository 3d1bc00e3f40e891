"""Planning: what a run would do with each row, and whether a saved plan still fits."""
