"""What a sheet is: references, columns, typed tables, findings."""
