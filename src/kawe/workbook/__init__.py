"""Workbooks in and out: reading, cells, results and templates."""
