"""The files that the sample projects carry: real PDFs and pictures, small ones."""

from __future__ import annotations

import io
import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from fpdf import FPDF
from PIL import Image, ImageDraw, ImageFont

from samples_files import MADE_AT

_FONT: Final = "SourceSansPro"
_FONT_FILE: Final = (
    Path(__file__).parents[1] / f"src/kawe_twin/fonts/{_FONT}-Regular.ttf"
)
_SKY: Final = (196, 214, 226)
_Point = tuple[float, float]


def pdf(title: str, *lines: str, sketch: Sequence[_Point] = ()) -> bytes:
    """Print one A4 page: a title, paragraphs, and a line as a sketch in mm."""
    page = FPDF(format="A4")
    page.set_creation_date(MADE_AT)
    page.set_title(title)
    page.set_lang("en-NZ")
    page.add_font(_FONT, fname=_FONT_FILE)
    page.add_page()
    page.set_font(_FONT, size=18)
    page.multi_cell(0, text=title, new_x="LMARGIN", new_y="NEXT")
    page.set_font(_FONT, size=11)
    for line in lines:
        page.ln(3)
        page.multi_cell(0, text=line, new_x="LMARGIN", new_y="NEXT")
    if sketch:
        page.ln(8)
        top = page.get_y()
        page.set_line_width(0.5)
        page.polyline([(15 + x, top + y) for x, y in sketch])
    page.ln(60)
    page.multi_cell(0, text="A sample that came with kawe. Nothing in it is real.")
    return bytes(page.output())


def photo(seed: int, *, slope: float, context: tuple[int, int, int]) -> bytes:
    """Paint a small landscape as a JPEG: sky above a rough slope."""
    chance = random.Random(seed)
    width, height = 480, 320
    picture = Image.new("RGB", (width, height), _SKY)
    draw = ImageDraw.Draw(picture)
    for x in range(width):
        edge = height * 0.35 + slope * (x - width / 2) + 14 * math.sin(x / 37)
        for y in range(int(edge), height, 4):
            shade = chance.randint(-24, 24) - (y * 40 // height)
            red, green, blue = (max(0, min(255, part + shade)) for part in context)
            draw.rectangle((x, y, x + 3, y + 3), fill=(red, green, blue))
    return _saved(picture, "JPEG")


def drawing(title: str, *, sketch: Callable[[ImageDraw.ImageDraw], None]) -> bytes:
    """Draw a plan as a PNG with its title below."""
    picture = Image.new("RGB", (640, 360), "white")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((8, 8, 631, 311), outline="black", width=2)
    sketch(draw)
    font = ImageFont.truetype(_FONT_FILE, size=20)
    draw.text((16, 322), title, fill="black", font=font)
    return _saved(picture, "PNG")


def _saved(picture: Image.Image, form: str) -> bytes:
    saved = io.BytesIO()
    picture.save(saved, form, optimize=True)
    return saved.getvalue()


def _outfalls(draw: ImageDraw.ImageDraw) -> None:
    shore = [(20, 120), (150, 150), (290, 110), (430, 170), (620, 140)]
    draw.line(shore, fill="navy", width=4)
    for number in range(11):
        x = 40 + number * 56
        draw.ellipse((x - 6, 134, x + 6, 146), outline="red", width=3)
        draw.line((x, 146, x, 190), fill="grey", width=2)


def _sea_wall(draw: ImageDraw.ImageDraw) -> None:
    draw.polygon([(20, 300), (20, 180), (300, 180), (340, 300)], fill="tan")
    for step in range(6):
        x = 300 + step * 8
        draw.rectangle((x, 160 + step * 22, x + 14, 300), fill="saddlebrown")
    draw.line((350, 250, 620, 250), fill="blue", width=3)


def attachments() -> dict[str, bytes]:
    """Give every attachment of the monthly sample, by path below its folder."""
    return {
        "photos/slip face.jpg": photo(1, slope=-0.25, context=(150, 116, 84)),
        "photos/notable tree.jpg": photo(2, slope=0.05, context=(88, 120, 72)),
        "outfall locations.png": drawing("Outfalls 1 to 11", sketch=_outfalls),
        "sea wall section.png": drawing(
            "Paekākāriki sea wall, typical section", sketch=_sea_wall
        ),
        "plans/sheet 1 locality.pdf": pdf(
            "Māngere Bridge cycleway – locality",
            "Sheet 1 of 3. From the old bridge to the town centre.",
            sketch=[(0, 10), (40, 4), (90, 20), (160, 12)],
        ),
        "plans/sheet 2 layout.pdf": pdf(
            "Māngere Bridge cycleway – layout",
            "Sheet 2 of 3. Separated cycleway 3.0 m wide; crossings at three streets.",
            sketch=[(0, 0), (160, 0), (160, 8), (0, 8), (0, 0)],
        ),
        "plans/sheet 3 erosion control.pdf": pdf(
            "Māngere Bridge cycleway – erosion and sediment control",
            "Sheet 3 of 3. Silt fences below each cut, checked after rain.",
            sketch=[(0, 0), (50, 18), (110, 22), (160, 36)],
        ),
        "plan change 14 summary.pdf": pdf(
            "Plan Change 14: papakāinga provisions – summary",
            "Papakāinga on ancestral land becomes a permitted activity.",
            "The density limit is removed; effects on neighbours stay controlled.",
        ),
        "archaeological assessment.pdf": pdf(
            "Archaeological assessment, Whakatāne heads",
            "Two recorded middens lie within 60 m of the trench.",
            "Monitoring of all ground disturbance is recommended.",
        ),
        "culvert long section.pdf": pdf(
            "Culvert replacement, Tūrangi – long section",
            "The new invert lies 300 mm below the stream bed.",
            sketch=[(0, 0), (60, 4), (60, 12), (110, 14), (160, 22)],
        ),
        "Ōtaki stopbank site plan.pdf": pdf(
            "Ōtaki stopbank – site plan",
            "900 m of the southern stopbank, raised by 0.6 m.",
            sketch=[(0, 30), (40, 12), (90, 8), (160, 26)],
        ),
        "wetland planting plan.pdf": pdf(
            "Planting of the berm",
            "Harakeke, mānuka and tī kōuka in the second winter.",
        ),
    }
