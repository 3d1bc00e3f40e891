"""Opens an untrusted workbook, and finds what its values do not show.

Every function raises `BookError` for a workbook that is broken or too large.
"""
