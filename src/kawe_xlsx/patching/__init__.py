"""The person's own workbook with kawe's columns and sheets, and all else as it was.

`Unpatchable` says why a workbook cannot be given back; whatever is here may raise it.
"""
