"""A new organisation's details, which people write once.

They stand on a sheet of organisations, or in one of the organisation's rows.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TypeAlias

from kawe.domain.sheet.content import OrganisationContent, ProjectContent
from kawe.domain.sheet.findings import Severity
from kawe.domain.sheet.refs import RowRef
from kawe.domain.sheet.tables import TableRow
from kawe.domain.text.texts import fold_name, one_line
from kawe.flows.check.naming import Naming
from kawe.flows.check.placing import ORGANISATION, locate_rows, place_of
from kawe.flows.checked_rows import CheckContext, CheckedRow
from kawe.flows.marking import mark
from kawe.kinds.projects.rows import contact_of, organisation_of
from kawe.ports import Places

_Whole: TypeAlias = Mapping[OrganisationContent, RowRef]
"""What rows say of one organisation, each with the first row that says so."""


def with_addresses(
    rows: Sequence[CheckedRow],
    *,
    naming: Naming,
    context: CheckContext,
    skip: Collection[RowRef],
) -> tuple[CheckedRow, ...]:
    """Complete rows from the sheet of organisations, and bare ones from other rows.

    What a row says itself stays. Other rows of a name that a row says alone must agree
    in all that they say. The fingerprints stay: they follow from each row alone.
    """
    listed = _whole(context.organisations, places=context.places)
    contacts = {_name(row): row for row in context.organisations}
    done = [row.row.ref in skip for row in rows]
    rows = [
        row if is_done else _listed(_with_contact(row, contacts), listed, naming=naming)
        for row, is_done in zip(rows, done, strict=True)
    ]
    bare = {
        _name(row.row)
        for row, is_done in zip(rows, done, strict=True)
        if not is_done and _is_bare(row) and _is_new(row, naming)
    }
    there = [row.row for row in rows if _name(row.row) in bare]
    whole = _whole(there, places=context.places) if bare else {}
    return tuple(
        row if is_done or not _is_bare(row) else _completed(row, whole)
        for row, is_done in zip(rows, done, strict=True)
    )


def _whole(rows: Sequence[TableRow], *, places: Places) -> Mapping[str, _Whole]:
    """Give what rows say of organisations, by folded name, with the first row."""
    located = locate_rows(rows, places=places, prefix=ORGANISATION)
    found: dict[str, dict[OrganisationContent, RowRef]] = {}
    for row in rows:
        place = place_of(located.get(row.ref))
        said = organisation_of(row.values(), place=place)
        if said is not None and said.address is not None and place is not None:
            name = fold_name(said.name)
            found.setdefault(name, {}).setdefault(replace(said, name=name), row.ref)
    return found


def _listed(
    checked: CheckedRow, listed: Mapping[str, _Whole], *, naming: Naming
) -> CheckedRow:
    return _completed(checked, listed) if _is_new(checked, naming) else checked


def _completed(checked: CheckedRow, known: Mapping[str, _Whole]) -> CheckedRow:
    """Complete a new organisation with what is known of it; its own words stay."""
    own, whole = _organisation(checked), known.get(_name(checked.row))
    if own is None or not whole:
        return checked
    name = one_line(own.name, limit=80)
    first, *others = whole.values()
    if others:
        rows = f"{first.row} and {_row(others[0], checked)}"
        message = f"Rows {rows} give {name} different addresses."
        advice = "Make them the same, or fill in the right one here."
        words = (message, advice)
        return _said(checked, "organisation-differs", words, severity=Severity.WARNING)
    said = replace(next(iter(whole)), name=own.name)
    own_words = {k: getattr(own, k) for k, v in asdict(own).items() if v is not None}
    both = replace(said, **own_words)
    if both == own:
        return checked
    stays = "" if both == said else " What this row says itself stays: it differs."
    message = f"The address of {name} is taken from row {_row(first, checked)}.{stays}"
    found = _said(checked, "organisation-shared", (message, ""))
    content = checked.project
    if isinstance(content, ProjectContent):
        return replace(found, content=replace(content, organisation=both))
    return replace(found, partly=content and replace(content, organisation=both))


def _with_contact(checked: CheckedRow, listed: Mapping[str, TableRow]) -> CheckedRow:
    """Give a project without a contact that of its organisation."""
    row, content = listed.get(_name(checked.row)), checked.content
    if row is None or not isinstance(content, ProjectContent) or content.contact:
        return checked
    contact = contact_of(row.values())
    if contact is None or not (contact.role and contact.phone):
        return checked
    message = f"The contact is taken from row {_row(row.ref, checked)}."
    found = _said(checked, "contact-shared", (message, ""))
    return replace(found, content=replace(content, contact=contact))


def _row(where: RowRef, checked: CheckedRow) -> str:
    """Name a row, and its sheet where that is another one."""
    is_own = where.sheet == checked.row.ref.sheet
    return f"{where.row}" + ("" if is_own else f" of {one_line(where.sheet, limit=40)}")


def _said(
    checked: CheckedRow,
    rule: str,
    words: tuple[str, str],
    *,
    severity: Severity = Severity.NOTE,
) -> CheckedRow:
    found = mark(checked.row, "organisation", severity=severity, rule=rule, words=words)
    return checked.with_findings(found)


def _organisation(checked: CheckedRow) -> OrganisationContent | None:
    return None if checked.project is None else checked.project.organisation


def _is_bare(checked: CheckedRow) -> bool:
    own = _organisation(checked)
    return own is not None and own == OrganisationContent(name=own.name)


def _is_new(checked: CheckedRow, naming: Naming) -> bool:
    own = _organisation(checked)
    return own is not None and naming.is_new(own)


def _name(row: TableRow) -> str:
    name = row.value("organisation")
    return fold_name(name) if isinstance(name, str) else ""
