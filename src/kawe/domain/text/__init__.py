"""Words, numbers, days and addresses as text; knows nothing of rows."""
