"""From the cells of a workbook to the rows of a table."""
