"""Which organisation each row means: one of the team's, or a new one.

The service never merges organisations, so a misspelt name would stay for good. kawe
only points out near names; a person says which one is meant.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kawe.domain.service.service_words import Organisation
from kawe.domain.sheet.content import OrganisationContent
from kawe.domain.sheet.findings import CellRef, RowRef, Severity
from kawe.domain.text.texts import fold_name, one_line
from kawe.flows.checked_rows import CheckedRow
from kawe.ports import Suggester

# Each name is compared with each; more names are a program's, which spells well.
_MOST_NEW_NAMES: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """What is known about names of organisations."""

    team: Mapping[str, Organisation]
    """The team's own, by folded name; empty when nobody asked."""
    was_asked: bool
    """False: nobody asked the service, so that any name may be known."""
    suggester: Suggester
    _alike: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def is_new(self, organisation: OrganisationContent) -> bool:
        return fold_name(organisation.name) not in self.team

    def like(self, name: str) -> tuple[str, ...]:
        """Name those of the team's own that are nearly called so."""
        if name not in self._alike and len(self._alike) < _MOST_NEW_NAMES:
            self._alike[name] = self.suggester.nearest(
                name, among=[each.name for each in self.team.values()]
            )
        return self._alike.get(name, ())


def mark_organisations(
    rows: Sequence[CheckedRow], *, naming: Naming, skip: Collection[RowRef] = ()
) -> tuple[CheckedRow, ...]:
    """Mark new organisations that lack something, or whose name is near another."""
    spellings = _spellings(rows, naming=naming, skip=skip)
    return tuple(
        row if row.row.ref in skip else _marked(row, naming=naming, spellings=spellings)
        for row in rows
    )


def _marked(
    checked: CheckedRow, *, naming: Naming, spellings: Mapping[str, Sequence[str]]
) -> CheckedRow:
    organisation = None if checked.said is None else checked.said.organisation
    if organisation is None or not naming.is_new(organisation):
        return checked
    if naming.was_asked:
        checked = _with_new(checked, organisation, naming=naming)
    if not (others := spellings.get(fold_name(organisation.name), ())):
        return checked
    return checked.marked(
        "organisation",
        Severity.WARNING,
        rule="organisation-spelt-twice",
        message=f"Nearly the same name stands in {'; '.join(others)}: two "
        "organisations would be made.",
        advice="If one is meant, write it the same way in each row.",
    )


def _with_new(
    checked: CheckedRow, organisation: OrganisationContent, *, naming: Naming
) -> CheckedRow:
    unclear = frozenset() if checked.said is None else checked.said.unclear
    has_address = organisation.address or "organisation_address" in unclear
    is_whole = has_address and (organisation.place or "organisation_place" in unclear)
    alike = " or ".join(
        f"“{one_line(name, limit=80)}”" for name in naming.like(organisation.name)
    )
    if is_whole and not alike:
        return checked
    name = one_line(organisation.name, limit=80)
    if is_whole:
        severity, rule = Severity.WARNING, "organisation-near"
        message = (
            f"A new organisation {name} would be made; the team already has {alike}."
        )
        advice = "If that is meant, write its name; else leave this as it is."
    else:
        meant = f"Did you mean {alike}? If not, correct" if alike else "Correct"
        cell = checked.row.cells.get("organisation")
        without = ""
        if cell is not None and cell.may_be_empty:
            is_alone = organisation == OrganisationContent(name=organisation.name)
            without = f" Or leave {'the cell' if is_alone else 'all its cells'} empty."
        severity, rule = Severity.ERROR, "organisation-new"
        message = (
            "The team has no organisation of this name, and a new one needs an "
            "address, a latitude and a longitude."
        )
        advice = (
            f"{meant} the name, or fill in the organisation's address and place, here "
            f"or once for all rows on a sheet called Organisations.{without}"
        )
    said = {"rule": rule, "message": message, "advice": advice}
    return checked.marked("organisation", severity, **said)


def _spellings(
    rows: Sequence[CheckedRow], *, naming: Naming, skip: Collection[RowRef]
) -> dict[str, list[str]]:
    """Say for each new name where others are that are nearly equal; none of many."""
    first: dict[str, tuple[str, RowRef | CellRef]] = {}
    for row in rows:
        organisation = None if row.said is None else row.said.organisation
        if organisation is None or row.row.ref in skip:
            continue
        if naming.is_new(organisation):
            place = (organisation.name, row.row.where("organisation"))
            first.setdefault(fold_name(organisation.name), place)
    names = dict(first.values())
    if len(names) > _MOST_NEW_NAMES:
        return {}
    near = {
        name: naming.suggester.nearest(name, among=[o for o in names if o != name])
        for name in names
    }
    return {
        fold_name(name): [f"{names[o]} “{one_line(o, limit=80)}”" for o in others]
        for name, others in near.items()
    }
