"""Opening a workbook that need not be believed, and what its values do not tell."""
