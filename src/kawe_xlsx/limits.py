"""Limits of a workbook; a larger one is an error."""

from typing import Final

MIB: Final = 2**20

MAX_FILE_BYTES: Final = 50 * MIB
MAX_PARTS: Final = 2_000
MAX_UNPACKED_BYTES: Final = 300 * MIB
MAX_RATIO: Final = 200
"""Unpacked bytes for each packed byte; real sheets stay below 100."""
RATIO_FREE_BYTES: Final = MIB
"""Smaller parts may have any ratio."""

MAX_SHEETS: Final = 500
"""kawe may have to read each of them to choose one."""
MAX_ROWS: Final = 200_000
"""Rows of data, without the heading row and the rows above it."""
MAX_COLUMNS: Final = 200
MAX_AREA: Final = 8_000_000
"""Cells from A1 to the last used one; all are in memory."""
MAX_TEXT_BYTES: Final = 256 * MIB
"""All texts of one sheet, each use counted."""
MAX_STRAYS: Final = 50
"""Far cells that are left out with a warning; more than that is a sheet."""

HEADING_ROWS: Final = 20
"""The heading row is among so many first rows."""
EXCEL_TEXT_LIMIT: Final = 32_767
"""The longest text that an Excel cell holds, in characters."""
CUT_MARK: Final = " … [cut by kawe: the full text is in your own workbook]"
"""Ends a text that is longer than that."""
