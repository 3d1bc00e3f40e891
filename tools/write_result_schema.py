"""Write the JSON Schema of results for docs/reference.

`python tools/write_result_schema.py` writes; a test says when it has to. The words come
from the code: outcomes, severities, kinds and the name of the form.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from kawe.cases.kinds import KINDS
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.sheet.findings import Severity
from kawe.domain.sheet.tables import How
from kawe.workbook.results.csv_json import SCHEMA
from kawe_contract.shapes import (
    BOOLEAN,
    INSTANT,
    Schema,
    array,
    choice,
    each,
    integer,
    nullable,
    ref,
    text,
)

_ROOT: Final = Path(__file__).resolve().parents[1]
PUBLISHED: Final = _ROOT / "docs" / "reference" / "result.schema.json"
_SHA256: Final = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_COLUMN: Final = {"type": "string", "pattern": "^[A-Z]{1,3}$"}
_ROW: Final = integer(minimum=1)
_COUNT: Final = integer(minimum=0)
_VALUE: Final = {"type": ["string", "number", "boolean", "null"]}


def _closed(fields: dict[str, Schema], *, may_lack: tuple[str, ...] = ()) -> Schema:
    """Give an object with these fields and no other."""
    return {
        "type": "object",
        "properties": fields,
        "required": [name for name in fields if name not in may_lack],
        "additionalProperties": False,
    }


_FINDING: Final = {
    "where": text(minLength=1),
    "severity": choice(Severity),
    "rule": text(minLength=1),
    **each(text(), "heading", "value", "message", "advice"),
}
# Not every version has them; of a project each is null.
_INVITATION: Final = {
    **each(nullable(text()), "invitation_id", "invitation_status"),
    **each(nullable(INSTANT), "invitation_made_at", "invitation_expires_at"),
}
_DEFS: Final = {
    "finding": _closed(_FINDING),
    "group": _closed({**_FINDING, "rows": array(_ROW)}),
    "row": _closed(
        {
            "sheet": text(),
            "row": _ROW,
            "outcome": choice(Outcome),
            "turn": nullable(_ROW),
            **each(text(), "what_to_do", "name"),
            "reference": nullable(text()),
            "iwi": array(text()),
            **each(nullable(text()), "project_id", "link", "receipt_number"),
            **_INVITATION,
            "at": nullable(INSTANT),
            "respond_by": nullable({"type": "string", "format": "date"}),
            "message_as_sent": nullable(text()),
            "findings": array(ref("finding")),
            "of_batch": nullable(text()),
            "values": {"type": "object", "additionalProperties": _VALUE},
        },
        may_lack=(*_INVITATION, "message_as_sent"),
    ),
    "share": _closed({"iwi": text(), "name": text(), "projects": _COUNT}),
    "orphan": _closed(each(text(), "reference", "name", "project_id", "why")),
    "column": _closed(
        {
            "column": _COLUMN,
            "heading": text(),
            "how": choice(How),
            "field": nullable(text()),
            **each(array(text()), "may_be", "values"),
        }
    ),
    "reading": _closed(
        {
            "columns": array(ref("column")),
            "needs_answer": BOOLEAN,
            "heading_rows": array(_ROW),
            "template": nullable(integer(minimum=0)),
        }
    ),
}
_HEAD: Final = {
    "schema": {"const": SCHEMA},
    "batch": text(),
    "kind": {"type": "string", "enum": [kind.value for kind in KINDS]},
    **each(text(), "workbook", "sheet", "team"),
    "mode": {"type": "string", "enum": ["live", "sandbox", ""]},
    **each(text(), "owner", "run"),
    "written_at": INSTANT,
    "headings": array(text()),
    "new_workbook": nullable(text()),
}
_FOOT: Final = {
    "rows": array(ref("row")),
    "rows_read": _COUNT,
    "counts": {
        "type": "object",
        "propertyNames": choice(Outcome),
        "additionalProperties": _COUNT,
    },
    **each(nullable(_COUNT), "ready_to_send", "ready_to_draft"),
    "changed_too_late": _COUNT,
    "tokens_left": nullable(integer()),
    "reading": ref("reading"),
    "remarks": array(text()),
    "findings": array(ref("group")),
    "iwi_load": array(ref("share")),
    "orphans": array(ref("orphan")),
}
_SEAL: Final = each(
    _SHA256,
    *("csv_before", "csv_sha256", "own_sheets", "workbook_before"),
    *("workbook_sha256", "sha256"),
)


def schema() -> Schema:
    """Give the schema of the document beside a result workbook."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{SCHEMA.replace('.', ':').replace('/', ':')}",
        "title": "What became of each row of a workbook, as kawe writes it",
        **_closed(
            {**_HEAD, **_FOOT, **_SEAL},
            # The report of a batch reads no workbook; not every version says why the
            # workbook is a new one.
            may_lack=(
                "new_workbook",
                "reading",
            ),
        ),
        "$defs": _DEFS,
    }


def written() -> str:
    """Give the document as it is published, a line for each field of the result."""
    said = json.dumps(schema(), ensure_ascii=False, separators=(",", ":"))
    for name in ("properties", "$defs", *_HEAD, *_FOOT, *_SEAL, *_DEFS):
        said = said.replace(f',"{name}":{{', f',\n"{name}":{{')
    return f"{said}\n"


if __name__ == "__main__":
    PUBLISHED.write_text(written(), encoding="utf-8")
    print(f"Wrote {PUBLISHED}")
