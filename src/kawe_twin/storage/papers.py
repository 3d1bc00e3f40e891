"""Receipts and reports as PDF.

The font is embedded for its macrons. The content is stored, so that a new PDF has the
same words.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from fpdf import FPDF

NEW_ZEALAND: Final = ZoneInfo("Pacific/Auckland")
_FONTS: Final = Path(__file__).parents[1] / "fonts"
_FONT: Final = "SourceSansPro"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """What a receipt or report says."""

    title: str
    made_at: datetime
    facts: Sequence[tuple[str, str]]
    paragraphs: Sequence[str] = ()


def to_json(paper: Paper) -> str:
    return json.dumps(asdict(paper), default=datetime.isoformat, ensure_ascii=False)


def new_zealand_time(moment: datetime) -> str:
    """Write an instant as people in New Zealand read it, zone included."""
    local = moment.astimezone(NEW_ZEALAND)
    return f"{local.day} {local:%B %Y, %H:%M:%S %Z}"


def rendered(content: str) -> bytes:
    """Make a PDF, A4, of what `to_json` wrote."""
    held = json.loads(content)
    paper = Paper(**{**held, "made_at": datetime.fromisoformat(held["made_at"])})
    pdf = FPDF(format="A4")
    pdf.set_creation_date(paper.made_at.astimezone(UTC))
    pdf.set_title(_printable(paper.title))
    pdf.set_lang("en-NZ")
    pdf.add_font(_FONT, fname=_FONTS / f"{_FONT}-Regular.ttf")
    pdf.add_font(_FONT, style="B", fname=_FONTS / f"{_FONT}-Bold.ttf")
    pdf.add_page()
    pdf.set_font(_FONT, style="B", size=20)
    pdf.multi_cell(0, text=_printable(paper.title), new_x="LMARGIN", new_y="NEXT")
    pdf.ln(6)
    for label, value in paper.facts:
        pdf.set_font(_FONT, style="B", size=11)
        pdf.multi_cell(0, text=_printable(label), new_x="LMARGIN", new_y="NEXT")
        pdf.set_font(_FONT, size=11)
        pdf.multi_cell(0, text=_printable(value), new_x="LMARGIN", new_y="NEXT")
        pdf.ln(2)
    pdf.set_font(_FONT, size=11)
    for paragraph in paper.paragraphs:
        pdf.ln(3)
        pdf.multi_cell(0, text=_printable(paragraph), new_x="LMARGIN", new_y="NEXT")
    return bytes(pdf.output())


def _printable(text: str) -> str:
    # Control characters have no glyph, and some steer a PDF reader.
    return "".join(mark for mark in text if mark.isprintable() or mark == "\n") or "–"
