"""What commands print with --json, held to the published schema."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator

from architecture.house import ROOT

PUBLISHED = ROOT / "docs" / "reference" / "documents.schema.json"
RECORDED = "KAWE_TESTS_RECORD"
"""Names a folder: documents are kept there, for `tools/write_document_schemas.py`."""


def check_document(words: Sequence[str], printed: str) -> None:
    """Check what a command printed, if it is a document."""
    if "--json" not in words or not printed.startswith("{"):
        return
    document = json.loads(printed)
    if folder := os.environ.get(RECORDED):
        path = Path(folder) / f"{os.getpid()}.jsonl"
        with path.open("a", encoding="utf-8") as kept:
            kept.write(f"{json.dumps(document)}\n")
        return
    wrong = [str(each) for each in _published().iter_errors(document)]
    assert wrong == [], "see tools/write_document_schemas.py"


@cache
def _published() -> Draft202012Validator:
    return Draft202012Validator(_closed(json.loads(PUBLISHED.read_text("utf-8"))))


def _closed(schema: Any) -> Any:
    """Let no field in that is not published."""
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(each) for name, each in schema.items()}
    if "required" in schema and "properties" in schema and "allOf" not in schema:
        closed.setdefault("additionalProperties", False)
    return closed
