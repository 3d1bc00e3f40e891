"""kawe: bulk import and export for iwi consultation, from workbooks.

Importing this package is cheap on purpose: it loads nothing else.
"""

__version__ = "0.1.0"
