"""What a sheet is: kinds, references, columns, typed tables, contents, findings."""
