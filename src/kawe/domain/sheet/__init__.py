"""What a sheet is: kinds, columns, typed tables, what its rows say, findings."""
