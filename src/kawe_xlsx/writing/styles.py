"""The part of a workbook with its styles.

Excel shows the names of the cell styles. Each is written twice, once for text:
`quotePrefix` keeps a text that begins with = a text after an edit.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kawe_xlsx.writing.text import attribute

MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
PROLOG: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
COLOUR: Final = "color"
"""The attribute in XML."""
FONT: Final = "Calibri"
INK: Final = "1F2933"
NAVY: Final = "1F3A4D"
FORMATS: Final = {
    "text": "@",
    "general": "General",
    "day": "d mmm yyyy",
    "day time": "d mmm yyyy h:mm",
    "hour": "h:mm",
    "count": "#,##0",
    "money": "#,##0.00",
}
_BUILT_IN: Final = {"General": 0, "#,##0": 3, "#,##0.00": 4, "h:mm": 20, "@": 49}
_FIRST_OWN_FORMAT: Final = 164
_PLAIN_FILL: Final = '<fill><patternFill patternType="none"/></fill>'
# Excel reserves the second fill.
_GREY_FILL: Final = '<fill><patternFill patternType="gray125"/></fill>'
_SIDES: Final = ("left", "right", "top", "bottom")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A line at one side of a cell."""

    side: Literal["left", "right", "top", "bottom"]
    weight: Literal["thin", "medium"]
    ink: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CellStyle:
    """A cell style; colours are RRGGBB, empty: default."""

    name: str
    font: str = FONT
    ink: str = INK
    size: int = 11
    is_bold: bool = False
    is_underlined: bool = False
    fill: str | None = None
    edges: tuple[Edge, ...] = ()
    down: Literal["top", "center"] = "top"
    across: Literal["left", "right"] | None = None
    wraps: bool = False
    number_format: str = "@"


_NOTHING_YET: Final = {
    "fonts": 1,
    "fills": 2,
    "borders": 1,
    "cellXfs": 1,
    "numFmts": _FIRST_OWN_FORMAT,
}


class StyleSheet:
    """The styles of one workbook and their numbers, after those that it has.

    `after` says how many of each there are, and the first free number of a format.
    """

    def __init__(
        self, looks: Sequence[CellStyle], *, after: Mapping[str, int] = _NOTHING_YET
    ) -> None:
        self._looks = tuple(looks)
        self._after = after
        first = after["cellXfs"]
        names = [look.name for look in looks]
        self.of_values = {name: 2 * at + first for at, name in enumerate(names)}
        self.of_texts = {name: 2 * at + first + 1 for at, name in enumerate(names)}

    def lists(self, *, is_named: bool = False) -> dict[str, list[str]]:
        """Give what each list of the part gets; `is_named`: people see the names."""
        looks, after = self._looks, self._after
        fonts = _numbered(map(_font, looks), first=after["fonts"])
        fills = _numbered(map(_fill, looks), first=after["fills"])
        borders = _numbered(map(_border, looks), first=after["borders"])
        formats = _formats(looks, first=after["numFmts"])
        xfs, bases = [], []
        for number, look in enumerate(looks, 1):
            body = (
                f'numFmtId="{formats[look.number_format]}" '
                f'fontId="{fonts[_font(look)]}" fillId="{fills[_fill(look)]}" '
                f'borderId="{borders[_border(look)]}"'
            )
            inner = f"{_APPLIED}>{_alignment(look)}</xf>"
            base = number if is_named else 0
            bases.append(f"<xf {body} {inner}")
            xfs.append(f'<xf {body} xfId="{base}" {inner}')
            xfs.append(f'<xf {body} xfId="{base}" quotePrefix="1" {inner}')
        own = [
            f'<numFmt numFmtId="{number}" formatCode="{attribute(code)}"/>'
            for code, number in formats.items()
            if number >= after["numFmts"]
        ]
        return {
            "numFmts": own,
            "fonts": [*fonts],
            "fills": [*fills],
            "borders": [*borders],
            "cellStyleXfs": bases,
            "cellXfs": xfs,
        }

    def xml(self) -> str:
        """Write the part `xl/styles.xml` of a new workbook."""
        normal = CellStyle(name="Normal", ink="")
        nothing = 'numFmtId="0" fontId="0" fillId="0" borderId="0"'
        lists = self.lists(is_named=True)
        first = {
            "fonts": [_font(normal)],
            "fills": [_PLAIN_FILL, _GREY_FILL],
            "borders": [_border(normal)],
            "cellStyleXfs": [f"<xf {nothing}/>"],
            "cellXfs": [f'<xf {nothing} xfId="0"/>'],
        }
        names = ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']
        names += [
            f'<cellStyle name="{attribute(look.name)}" xfId="{number}"/>'
            for number, look in enumerate(self._looks, 1)
        ]
        return "".join(
            (
                f'{PROLOG}<styleSheet xmlns="{MAIN}">',
                *(
                    _list(name, [*first.get(name, []), *items])
                    for name, items in lists.items()
                    if items or name in first
                ),
                _list("cellStyles", names),
                '<dxfs count="0"/>',
                "</styleSheet>",
            )
        )


_APPLIED: Final = (
    'applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" '
    'applyAlignment="1"'
)


def _numbered(parts: Iterable[str], *, first: int) -> dict[str, int]:
    """Number fonts, fills or borders, each once, from `first` on."""
    return {part: at for at, part in enumerate(dict.fromkeys(parts), start=first)}


def _formats(looks: Sequence[CellStyle], *, first: int) -> dict[str, int]:
    formats = dict(_BUILT_IN)
    for look in looks:
        own = first + len(formats) - len(_BUILT_IN)
        formats.setdefault(look.number_format, own)
    return formats


def _font(look: CellStyle) -> str:
    colour = _colour(look.ink) if look.ink else ""
    return (
        f"<font>{'<b/>' if look.is_bold else ''}"
        f"{'<u/>' if look.is_underlined else ''}"
        f'<sz val="{look.size}"/>{colour}'
        f'<name val="{attribute(look.font)}"/><family val="2"/></font>'
    )


def _colour(ink: str) -> str:
    return f'<{COLOUR} rgb="FF{ink}"/>'


def _fill(look: CellStyle) -> str:
    if look.fill is None:
        return _PLAIN_FILL
    return (
        f'<fill><patternFill patternType="solid"><fgColor rgb="FF{look.fill}"/>'
        '<bgColor indexed="64"/></patternFill></fill>'
    )


def _border(look: CellStyle) -> str:
    edges = {edge.side: edge for edge in look.edges}
    sides = [
        f'<{side} style="{edges[side].weight}">{_colour(edges[side].ink)}</{side}>'
        if side in edges
        else f"<{side}/>"
        for side in _SIDES
    ]
    return f"<border>{''.join(sides)}<diagonal/></border>"


def _alignment(look: CellStyle) -> str:
    across = f' horizontal="{look.across}"' if look.across else ""
    wraps = ' wrapText="1"' if look.wraps else ""
    indent = ' indent="1"' if look.across else ""
    return f'<alignment{across} vertical="{look.down}"{wraps}{indent}/>'


def _list(name: str, items: Sequence[str]) -> str:
    return f'<{name} count="{len(items)}">{"".join(items)}</{name}>'
