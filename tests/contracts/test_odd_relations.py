"""A workbook whose parts name parts that are not there, or odd ones: a result is made.

Other programs write such files, and a person may send with one: whatever stops the
patch leads to a new workbook, and no run ends without its result.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.table import Table

from contracts.test_patched_workbooks import checked, excel_book, own_book
from faults.fuzzing.spoilt_zip import Parts, unzip, zipped
from kawe.cases.sheets import why_new
from kawe.errors import WorkbookError

ODD: Final = "its parts are not as Excel writes them"
_RELATION: Final = re.compile(r"<Relationship\b[^>]*/>")
_TARGET: Final = re.compile(r'Target="[^"]*"')
_ID: Final = re.compile(r'Id="[^"]*"')
_KINDS: Final = (
    *("comments", "vmlDrawing", "threadedComment", "table", "drawing", "hyperlink"),
    *("worksheet", "styles", "calcChain", "sharedStrings", "theme", "printerSettings"),
)
_TARGETS: Final = (
    *("/xl/none.xml", "../../../../etc/passwd", "/xl/worksheets/sheet1.xml", ""),
    *("/xl/workbook.xml", "/xl/worksheets"),
)

Damage = Callable[[str], str]
"""Changes one relation, as XML."""


def _to(target: str) -> Damage:
    return lambda relation: _TARGET.sub(f'Target="{target}"', relation)


DAMAGES: Final[dict[str, Damage]] = {
    **{f"to {target}": _to(target) for target in _TARGETS},
    "external": lambda each: each.replace("/>", ' TargetMode="External"/>'),
    "doubled": lambda each: each * 2,
    "doubled, to nothing": lambda each: each + _to("/xl/none.xml")(each),
    "doubled, by another id": lambda each: each + _ID.sub('Id="other"', each),
    "without id": lambda each: _ID.sub("", each),
    "without target": lambda each: _TARGET.sub("", each),
    "gone": lambda _: "",
}


def damaged(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Give a workbook in every way in which one relation can be odd."""
    parts = unzip(data)
    for at, (name, text) in enumerate(parts):
        if not name.endswith(".rels"):
            continue
        for found in _RELATION.finditer(text.decode()):
            for said, damage in DAMAGES.items():
                new = damage(found[0])
                whole = text.decode()[: found.start()] + new
                whole += text.decode()[found.end() :]
                yield f"{name}: {found[0]} {said}", _with(parts, at, whole.encode())


def related(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Give a workbook with one relation more, of every kind, to every odd place."""
    parts = unzip(data)
    at = [name for name, _ in parts].index("xl/worksheets/_rels/sheet1.xml.rels")
    text = parts[at][1].decode()
    for kind in _KINDS:
        for target in _TARGETS:
            new = f'<Relationship Id="odd" Type="http://x/{kind}" Target="{target}"/>'
            whole = text.replace("</Relationships>", f"{new}</Relationships>")
            yield f"{kind} to {target}", _with(parts, at, whole.encode())


def disparted(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Give a workbook without one of its parts, or with it in other bytes."""
    parts = unzip(data)
    for at, (name, text) in enumerate(parts):
        yield f"without {name}", zipped([*parts[:at], *parts[at + 1 :]])
        yield f"{name} empty", _with(parts, at, b"")
        yield f"{name} cut", _with(parts, at, text[: len(text) // 2])
        yield (
            f"{name} in UTF-16",
            _with(parts, at, text.decode("utf-8", "replace").encode("utf-16")),
        )
        latin = text.replace(b"UTF-8", b"latin-1").replace(b"utf-8", b"latin-1")
        yield f"{name} said to be latin-1", _with(parts, at, latin)
        yield f"{name} not in UTF-8", _with(parts, at, text.replace(b'="', b'="\xff'))
        yield f"{name} twice", zipped([*parts, (name, text)])
        yield f"{name} twice, in capitals", zipped([*parts, (name.upper(), text)])


def untyped(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Give a workbook whose types leave one out, or say it twice or of no part."""
    parts = unzip(data)
    at = [name for name, _ in parts].index("[Content_Types].xml")
    text = parts[at][1].decode()
    for found in re.finditer(r"<(?:Override|Default)\b[^>]*/>", text):
        for said, new in (
            ("gone", ""),
            ("twice", found[0] * 2),
            ("of no part", re.sub(r'PartName="[^"]*"', 'PartName="/no"', found[0])),
        ):
            whole = text[: found.start()] + new + text[found.end() :]
            yield f"type {found[0]} {said}", _with(parts, at, whole.encode())


def _with(parts: Parts, at: int, text: bytes) -> bytes:
    return zipped([*parts[:at], (parts[at][0], text), *parts[at + 1 :]])


def _tabled(book: Workbook) -> None:
    book["Projects"].add_table(Table(displayName="Works", ref="A2:E5"))


def _plain(path: Path) -> Path:
    path.write_bytes(own_book(_tabled))
    return path


def _result(path: Path) -> Path:
    return checked(_plain(path))


WAYS: Final = (damaged, related, disparted, untyped)
BOOKS: Final = {"plain": _plain, "comments": excel_book, "result": _result}


def how_it_ends(path: Path) -> str:
    """Check a workbook, and check its result; say how that ended."""
    try:
        result = checked(path)
    except WorkbookError:
        return "refused"
    ended = "new" if why_new(result) else "patched"
    checked(result)
    return ended


def ends_of(folder: Path, book: str, *, step: int) -> tuple[Counter[str], list[str]]:
    """Check every `step`-th odd form of a workbook; say how they ended, and why."""
    data = BOOKS[book](folder / "good.xlsx").read_bytes()
    ends, wrong = Counter[str](), []
    ways = (each for way in WAYS for each in way(data))
    for number, (said, odd) in enumerate(islice(ways, 0, None, step)):
        path = folder / str(number) / "odd.xlsx"
        path.parent.mkdir()
        path.write_bytes(odd)
        try:
            ends[how_it_ends(path)] += 1
        except Exception as why:  # noqa: BLE001 - every one of them is a failure
            wrong.append(f"{said}: {why!r}")
    return ends, wrong


@pytest.mark.parametrize("book", BOOKS)
def test_an_odd_workbook_comes_back_or_is_written_anew_or_is_not_read(tmp_path, book):
    ends, wrong = ends_of(tmp_path, book, step=29)

    assert (wrong, ends.keys()) == ([], {"patched", "new", "refused"})


@pytest.mark.campaign
@pytest.mark.parametrize("book", BOOKS)
def test_every_odd_form_of_a_workbook_ends_well(tmp_path, book):
    ends, wrong = ends_of(tmp_path, book, step=1)

    assert (wrong, ends.keys()) == ([], {"patched", "new", "refused"})
