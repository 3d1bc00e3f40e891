"""A new organisation's address, which people write in one of its rows only."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from kawe.domain.sheet.content import OrganisationContent, ProjectContent
from kawe.domain.sheet.findings import Severity
from kawe.domain.sheet.refs import RowRef
from kawe.domain.text.texts import fold_name, one_line
from kawe.flows.check.naming import Naming
from kawe.flows.check.placing import ORGANISATION, locate_rows, place_of
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.marking import mark
from kawe.kinds.projects.rows import organisation_of
from kawe.ports import Places


def with_addresses(
    rows: Sequence[CheckedRow],
    *,
    naming: Naming,
    places: Places,
    skip: Collection[RowRef],
) -> tuple[CheckedRow, ...]:
    """Complete new organisations of which a row says the name alone.

    Other rows of that name must agree in all that they say. The fingerprints stay:
    they follow from each row alone.
    """
    bare = {
        fold_name(organisation.name)
        for row in rows
        if row.project is not None
        and (organisation := row.project.organisation) is not None
        and row.row.ref not in skip
        and _is_bare(organisation)
        and naming.is_new(organisation)
    }
    if not bare:
        return tuple(rows)
    whole = _whole(rows, among=bare, places=places)
    return tuple(
        row if row.row.ref in skip else _completed(row, whole.get(_name(row), {}))
        for row in rows
    )


def _whole(
    rows: Sequence[CheckedRow], *, among: Collection[str], places: Places
) -> dict[str, dict[OrganisationContent, RowRef]]:
    """Give what other rows say of organisations, by folded name, with the first row."""
    there = [row.row for row in rows if _name(row) in among]
    located = locate_rows(there, places=places, prefix=ORGANISATION)
    found: dict[str, dict[OrganisationContent, RowRef]] = {}
    for row in there:
        place = place_of(located.get(row.ref))
        said = organisation_of(row.values(), place=place)
        if said is not None and said.address is not None and place is not None:
            name = fold_name(said.name)
            found.setdefault(name, {}).setdefault(replace(said, name=name), row.ref)
    return found


def _completed(
    checked: CheckedRow, whole: dict[OrganisationContent, RowRef]
) -> CheckedRow:
    content = checked.project
    organisation = None if content is None else content.organisation
    if content is None or organisation is None or not _is_bare(organisation):
        return checked
    if not whole:
        return checked
    name = one_line(organisation.name, limit=80)
    if len(whole) > 1:
        first, second = list(whole.values())[:2]
        words = (
            f"Rows {first.row} and {second.row} give {name} different addresses.",
            "Make them the same, or fill in the right one here.",
        )
        return checked.with_findings(
            mark(
                checked.row,
                "organisation",
                severity=Severity.WARNING,
                rule="organisation-differs",
                words=words,
            )
        )
    said, where = next(iter(whole.items()))
    finding = mark(
        checked.row,
        "organisation",
        severity=Severity.NOTE,
        rule="organisation-shared",
        words=(f"The address of {name} is taken from row {where.row}.", ""),
    )
    shared = replace(said, name=organisation.name)
    found = checked.with_findings(finding)
    if isinstance(content, ProjectContent):
        return replace(found, content=replace(content, organisation=shared))
    return replace(found, partly=replace(content, organisation=shared))


def _is_bare(organisation: OrganisationContent) -> bool:
    return organisation == OrganisationContent(name=organisation.name)


def _name(checked: CheckedRow) -> str:
    name = checked.row.value("organisation")
    return fold_name(name) if isinstance(name, str) else ""
