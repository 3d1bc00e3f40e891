"""What a sheet is: kinds, references, columns, typed tables, what its rows say, findings."""
