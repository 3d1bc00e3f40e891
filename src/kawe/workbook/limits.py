"""How much of a workbook is read: past a bound is an error, never silence."""

from __future__ import annotations

from typing import Final

MIB: Final = 2**20

MAX_FILE_BYTES: Final = 50 * MIB
MAX_PARTS: Final = 2_000
MAX_UNPACKED_BYTES: Final = 300 * MIB
MAX_RATIO: Final = 200
"""Unpacked bytes for each packed byte; real sheets stay below 100."""
RATIO_FREE_BYTES: Final = MIB
"""Parts up to this size may be packed as tightly as they like."""

MAX_SHEETS: Final = 500
"""Each of them may have to be looked at before one can be chosen."""
MAX_ROWS: Final = 200_000
"""Rows of data; the heading rows and what stands above them come on top."""
MAX_COLUMNS: Final = 200
MAX_AREA: Final = 8_000_000
"""Cells from A1 to the last used one; the reader holds them all at once."""
MAX_TEXT_BYTES: Final = 256 * MIB
"""All texts of one sheet together, a text counted each time it is used."""
MAX_STRAYS: Final = 50
"""Far cells that are left out with a warning; more than that is a sheet."""

HEADING_ROWS: Final = 20
"""The headings stand in one of this many first rows."""
EXCEL_TEXT_LIMIT: Final = 32_767
"""The longest text that an Excel cell holds, in characters."""
CUT_MARK: Final = " … [cut by kawe: the full text is in your own workbook]"
"""Ends a text that is longer than that."""
