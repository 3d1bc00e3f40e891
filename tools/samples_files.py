"""Writing sample files so that writing them again changes nothing.

Every date inside a workbook, a zip or a PDF is fixed; whatever a library
would stamp with the present is written over.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from openpyxl import Workbook

MADE_AT: Final = datetime(2030, 2, 28, 3, 0, tzinfo=UTC)
"""When the samples say that they were made."""
_ZIP_TIME: Final = (2030, 2, 28, 16, 0, 0)
_MODIFIED: Final = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*(</dcterms:modified>)")


def workbook_bytes(
    book: Workbook,
    *,
    edit: Mapping[str, Callable[[bytes], bytes]] | None = None,
    add: Mapping[str, bytes] | None = None,
    method: int = zipfile.ZIP_DEFLATED,
) -> bytes:
    """Give a workbook as the bytes of an .xlsx, the same each time.

    `edit` changes parts by name and `add` adds some, for what openpyxl cannot
    write.

    Raises:
        KeyError: The workbook has no part that `edit` names.
    """
    book.properties.creator = "Kaunihera o Tauira"
    book.properties.created = MADE_AT.replace(tzinfo=None)
    saved = io.BytesIO()
    book.save(saved)
    with zipfile.ZipFile(saved) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    stamp = MADE_AT.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    core = parts["docProps/core.xml"]
    parts["docProps/core.xml"] = _MODIFIED.sub(rb"\g<1>" + stamp + rb"\g<2>", core)
    for name, change in (edit or {}).items():
        parts[name] = change(parts[name])
    return zip_bytes({**parts, **(add or {})}, method=method)


def zip_bytes(
    parts: Mapping[str, bytes], *, method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    """Pack parts into a zip that depends on nothing but them."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in parts.items():
            info = zipfile.ZipInfo(name, date_time=_ZIP_TIME)
            info.compress_type = method
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return packed.getvalue()


def finding(sheet: str, told: str) -> dict[str, str]:
    """Read a finding such as `B3 error missing`; a row is its number alone."""
    address, severity, rule = told.split()
    return {"where": f"{sheet}!{address}", "severity": severity, "rule": rule}


def write(path: Path, data: bytes) -> None:
    """Write a file, its folders first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a JSON document that people can read."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    # One finding a line: a list of them is read as a table.
    text = re.sub(
        r'\{\s+("where": "[^"]*"),\s+("severity": "[^"]*"),\s+("rule": "[^"]*")\s+\}',
        r"{ \1, \2, \3 }",
        text,
    )
    write(path, f"{text}\n".encode())
