"""Ways to spoil a workbook: its bytes, its zip, and the XML inside; or its text.

Each mutation takes a workbook and gives another; what was done is told in
words, so that a failure can be understood without being repeated. Everything
follows from the generator of random numbers that is passed in.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from faults.fuzzing.elements import change_elements
from faults.fuzzing.spoilt_bytes import spoil_bytes
from faults.fuzzing.spoilt_csv import spoil_csv
from faults.fuzzing.spoilt_zip import spoil_zip, unzip, zipped
from faults.fuzzing.values import ADDRESSES, AREAS, ELEMENTS, KINDS, VALUES

_TAG: Final = re.compile(r"<[A-Za-z/][^<>]*>")
_ATTRIBUTE: Final = re.compile(r'(?<=\s)([\w:]{1,40})="([^"]*)"')
_TEXT: Final = re.compile(r">([^<>]+)<")
_DECLARED: Final = re.compile(rb"""(encoding=["'])[^"']*(["'])""")
_TRIES: Final = 10
_LARGEST: Final = 50_000_000
"""Characters; more than that is refused by its size alone, which is shown often."""
_DEPTHS: Final = (10, 1_000, 20_000, 200_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoiled:
    """A spoiled workbook, and what was done to it."""

    data: bytes
    done: tuple[str, ...]
    ending: str = "xlsx"


_XmlChange: TypeAlias = Callable[[Random, str], tuple[str, str]]


def spoil(data: bytes, *, chance: Random) -> Spoiled:
    """Apply one to four mutations; XML first, for a broken zip ends the others."""
    done = []
    times = chance.randint(1, 4)
    kinds = [spoil_csv] * times
    if data.startswith(b"PK"):
        drawn = chance.choices((_xml, spoil_zip, spoil_bytes), (6, 2, 2), k=times)
        kinds = sorted(drawn, key=(_xml, spoil_zip, spoil_bytes).index)
    for kind in kinds:
        try:
            data, words = kind(chance, data)
        except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError):
            # The zip is too broken for more surgery, or has nothing to change.
            continue
        done.append(words)
    ending = "csv" if spoil_csv in kinds else "xlsx"
    return Spoiled(data=data, done=tuple(done), ending=ending)


# ---------------------------------------------------------------------- XML


def _xml(chance: Random, data: bytes) -> tuple[bytes, str]:
    parts = unzip(data)
    indices = [n for n, part in enumerate(parts) if part[0].endswith((".xml", ".rels"))]
    sheets = [n for n in indices if "worksheets/sheet" in parts[n][0]]
    at = chance.choice(sheets if sheets and chance.random() < 0.6 else indices)
    name, content = parts[at]
    text = content.decode("utf-8", "surrogateescape")
    text, words = _changed(chance, text)
    spoiled = text.encode("utf-8", "surrogateescape")
    if chance.random() < 0.03:
        encoding = chance.choice(("utf-16", "utf-16-be", "utf-32", "utf-7", "latin-1"))
        spoiled, words = text.encode(encoding, "replace"), f"{words}, in {encoding}"
    elif chance.random() < 0.02:
        said = chance.choice(("UTF-16", "UTF-7", "windows-1252", "x-unheard", "EBCDIC"))
        spoiled = _DECLARED.sub(rb"\g<1>" + said.encode() + rb"\g<2>", spoiled)
        words = f"{words}, said to be {said}"
    parts[at] = (name, spoiled)
    return zipped(parts), f"{name}: {words}"


def _changed(chance: Random, text: str) -> tuple[str, str]:
    """Try changes until one finds what it changes."""
    for _ in range(_TRIES):
        try:
            return chance.choice(_XML_CHANGES)(chance, text)
        except ValueError:
            continue
    raise ValueError


def _some(chance: Random, pattern: re.Pattern[str], text: str) -> re.Match[str]:
    found = list(pattern.finditer(text))
    if not found:
        raise ValueError
    return chance.choice(found)


def _put(text: str, found: tuple[int, int], new: str) -> str:
    return text[: found[0]] + new + text[found[1] :]


def _attribute(chance: Random, text: str) -> tuple[str, str]:
    found = _some(chance, _ATTRIBUTE, text)
    value = chance.choice(VALUES)
    return _put(text, found.span(2), value), f"{found[0][:60]} now {value[:60]}"


def _every_attribute(chance: Random, text: str) -> tuple[str, str]:
    """Change all attributes of one name."""
    name = _some(chance, _ATTRIBUTE, text)[1]
    value = chance.choice(VALUES)
    pattern = re.compile(rf'\b{re.escape(name)}="[^"]*"')
    if len(pattern.findall(text)) * len(value) > _LARGEST:
        raise ValueError
    return pattern.sub(
        lambda _: f'{name}="{value}"', text
    ), f"every {name} {value[:60]}"


def _new_attribute(chance: Random, text: str) -> tuple[str, str]:
    found = _some(chance, _TAG, text)
    name = chance.choice(("r", "t", "s", "ref", "hidden", "x:y", "xml:space", "spans"))
    new = found[0][:-1].rstrip("/") + f' {name}="{chance.choice(VALUES)}"'
    new += "/>" if found[0].endswith("/>") else ">"
    return _put(text, found.span(), new), f"{new[-80:]} added"


def _lost_attribute(chance: Random, text: str) -> tuple[str, str]:
    found = _some(chance, _ATTRIBUTE, text)
    return _put(text, found.span(), ""), f"{found[0][:60]} removed"


def _lost_tag(chance: Random, text: str) -> tuple[str, str]:
    found = _some(chance, _TAG, text)
    return _put(text, found.span(), ""), f"{found[0][:60]} removed"


def _twice_tag(chance: Random, text: str) -> tuple[str, str]:
    found = _some(chance, _TAG, text)
    return _put(text, found.span(), found[0] * 2), f"{found[0][:60]} twice"


def _text(chance: Random, text: str) -> tuple[str, str]:
    found = _some(chance, _TEXT, text)
    value = chance.choice(VALUES)
    return _put(text, found.span(1), value), f"text {found[1][:40]} now {value[:60]}"


def _element(chance: Random, text: str) -> tuple[str, str]:
    at = _some(chance, _TAG, text).end()
    new = chance.choice(ELEMENTS)
    return _put(text, (at, at), new), f"{new[:80]} put in at {at}"


def _nest(chance: Random, text: str) -> tuple[str, str]:
    at = _some(chance, _TAG, text).end()
    depth, tag = (
        chance.choice(_DEPTHS),
        chance.choice(("a", "c", "row", "v", "si", "r")),
    )
    new = f"<{tag}>" * depth + f"</{tag}>" * depth
    return _put(text, (at, at), new), f"{depth} × <{tag}> put in at {at}"


def _kind(chance: Random, text: str) -> tuple[str, str]:
    found = _some(chance, re.compile(r'<c r="[A-Z]+[0-9]+"'), text)
    kind, value = chance.choice(KINDS), chance.choice(VALUES)
    new = f'{found[0]} t="{kind}"><v>{value}</v></c>{found[0]}'
    return _put(text, found.span(), new), f"{new[:80]} put in"


def _address(chance: Random, text: str) -> tuple[str, str]:
    found = _some(chance, re.compile(r'\b(r|ref|spans|sqref)="([^"]*)"'), text)
    new = chance.choice(ADDRESSES)
    return _put(text, found.span(2), new), f"{found[0][:40]} now {new}"


def _areas(chance: Random, text: str) -> tuple[str, str]:
    end = text.find("</sheetData>") + len("</sheetData>")
    if end < 20:
        raise ValueError
    areas = [chance.choice(AREAS) for _ in range(chance.choice((1, 3, 3_000)))]
    cells = "".join(f'<mergeCell ref="{area}"/>' for area in areas)
    new = f'<mergeCells count="{chance.choice(VALUES)}">{cells}</mergeCells>'
    return _put(text, (end, end), new), f"{len(areas)} areas merged, first {areas[0]}"


def _dimension(chance: Random, text: str) -> tuple[str, str]:
    found = _some(chance, re.compile(r'<dimension ref="([^"]*)"/>'), text)
    new = chance.choice(AREAS)
    return _put(text, found.span(1), new), f"dimension {new}"


_XML_CHANGES: Final[tuple[_XmlChange, ...]] = (
    *[change_elements] * 14,
    _attribute,
    _attribute,
    _every_attribute,
    _new_attribute,
    _lost_attribute,
    _lost_tag,
    _twice_tag,
    _text,
    _text,
    _element,
    _nest,
    _kind,
    _kind,
    _address,
    _areas,
    _dimension,
)
