"""The person's own workbook with kawe's columns and sheets, and all else as it was."""
