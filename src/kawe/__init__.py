"""kawe: bulk import and export for iwi consultation, from workbooks.

Importing this package is cheap on purpose: it loads nothing else.
"""

BASE = "0.2.0.dev0"
try:
    from kawe._version import __version__ as __version__
except ImportError:  # a copy that nobody built: tools/build_version.py
    __version__ = BASE
