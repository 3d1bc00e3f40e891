"""A sample of the sends of a period, the same for everybody who draws it again.

Of each send the SHA-256 of the seed, a space and the project's id is reckoned; those
with the smallest are the sample. Nobody chooses, and an auditor can do it by hand.
"""

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from kawe.cases.records.case_file import SavedCase, save_case
from kawe.cases.session import Session
from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.batch.periods import Period
from kawe.domain.rows.entries import Entry
from kawe.errors import SettingsError
from kawe.files.papers import list_together
from kawe.files.saving import LIST_NAME, safe_name, save_named
from kawe.flows.tools import all_rows

_STEM: Final = "sample"


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSample:
    """The case files of some sends, and of how many."""

    sends: int
    """How many there are in the period."""
    rows: tuple[dict[str, Any], ...]
    """What the journal has of each of the sample."""
    cases: tuple[SavedCase, ...]
    """Fewer than the rows where somebody stopped it."""

    def as_json(self) -> dict[str, Any]:
        return {"sends": self.sends, "sample": list(self.rows)}


async def save_sample(
    session: Session, number: int, *, seed: str, period: Period, folder: Path
) -> SavedSample:
    """Save the case files of so many sends, and list the hashes of all.

    Raises:
        SettingsError: Nothing was sent in the period, or as `save_case`.
    """
    if not (sent := await _sends(session, period)):
        raise SettingsError(
            message="Nothing was sent in this period, as the journal has it.",
            hint="Give another one. Nothing was exported.",
        )
    sent.sort(key=lambda row: sha256(f"{seed} {row.project_id}".encode()).digest())
    rows = [await _row(session, row) for row in sent[:number]]
    cases: list[SavedCase] = []
    for row in rows:
        if session.toolkit.halt.asked:
            break
        place = folder / row["folder"]
        cases.append(await save_case(session, row["project_id"], folder=place))
    made = SavedSample(sends=len(sent), rows=tuple(rows), cases=tuple(cases))
    if len(cases) == len(rows):
        said = {"seed": seed, **made.as_json()}
        text = json.dumps(said, ensure_ascii=False, indent=1, default=str).encode()
        lines = f"{sha256(text).hexdigest()}  {_STEM}.json\n".encode()
        save_named(folder / f"{_STEM}.json", text, called="sample")
        save_named(folder / f"{_STEM}.sha256", lines, called="sample")
        lists = (f"{row['folder']}/{LIST_NAME}" for row in rows)
        list_together(folder, (f"{_STEM}.sha256", *lists))
    return made


async def _sends(session: Session, period: Period) -> list[Entry]:
    made = await all_rows(session.journal, lambda row: row.project_id is not None)
    rows = [row for row in made if outcome_of(row.state) is Outcome.SENT]
    at = await session.journal.sent_at([row.key for row in rows])
    return [row for row in rows if period.has(at.get(row.key, row.moved_at))]


async def _row(session: Session, row: Entry) -> dict[str, Any]:
    """Say what the row is, and what it said in its workbook."""
    named = (await session.journal.named([row.key])).get(row.key, ())
    said = {
        heading: value
        for each in named[:1]
        for heading, value in zip(each.reading.headings, each.line.raw, strict=False)
    }
    called = " ".join(filter(None, (row.marker, row.receipt_number)))
    return {
        "folder": safe_name(called, str(row.project_id)),
        "reference": row.marker,
        "name": row.content.name,
        "project_id": row.project_id,
        "receipt_number": row.receipt_number,
        "workbook": named[0].reading.workbook if named else None,
        "row": str(named[0].line.where) if named else None,
        "values": said,
    }
