"""How templates look; the same colours as results."""

from __future__ import annotations

from typing import Final

from openpyxl.styles import Alignment, Border, Font, PatternFill, Side

from kawe_xlsx.writing.styles import FONT, INK, NAVY

_PALE: Final = "DCE6EC"
_LINE: Final = "C5D0D8"
_QUIET: Final = "5B6770"

PLAIN: Final = Font(name=FONT, size=11, color=INK)
QUIET: Final = Font(name=FONT, size=11, color=_QUIET)
STRONG: Final = Font(name=FONT, size=11, color=INK, bold=True)
TITLE: Final = Font(name=FONT, size=20, color=NAVY, bold=True)
SUBTITLE: Final = Font(name=FONT, size=14, color=NAVY, bold=True)

NEEDED: Final = Font(name=FONT, size=11, color="FFFFFF", bold=True)
NEEDED_FILL: Final = PatternFill("solid", fgColor=NAVY)
OPTIONAL: Final = Font(name=FONT, size=11, color=NAVY, bold=True)
OPTIONAL_FILL: Final = PatternFill("solid", fgColor=_PALE)

HEADING: Final = Alignment(
    horizontal="left", vertical="center", wrap_text=True, indent=1
)
LEFT: Final = Alignment(horizontal="left", vertical="top", indent=1)
LEFT_WRAPPED: Final = Alignment(
    horizontal="left", vertical="top", wrap_text=True, indent=1
)
RIGHT: Final = Alignment(horizontal="right", vertical="top", indent=1)
TOP: Final = Alignment(vertical="top")
TOP_WRAPPED: Final = Alignment(vertical="top", wrap_text=True)

_HAIR: Final = Side(style="thin", color=_LINE)
UNDERLINED: Final = Border(bottom=_HAIR)
BETWEEN: Final = Border(right=Side(style="thin", color="FFFFFF"))
