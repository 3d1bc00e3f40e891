"""Workbooks in and out: reading, cells, results and templates.

What cannot be read as a list of rows raises `WorkbookError`, and what cannot be written
under any name `ResultNotWritable`.
"""
