"""What a sheet is: kinds, references, columns, tables, what rows say, findings."""
