"""For the record: exports, what is new, and the statement of a period."""
