"""What became of each row, as a workbook, as CSV and as JSON."""
