"""The rules across several fields of one row. Each broken rule names one field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from kawe.domain.service.places import PLACE_NEEDED
from kawe.domain.sheet.content import ProjectSaid
from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.sheet.tables import CellValue, TableRow
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import A_YEAR, short_day_words
from kawe.flows.marking import mark
from kawe.ports import WorkingDays

_ONE_DAY: Final = timedelta(days=1)
# The longest way to a working day leads through the summer break.
_LONGEST_BREAK_DAYS: Final = 30
_FROM_ADDRESS: Final = (
    " To find it from the address, follow the row's link to a map in the result, or "
    "give a table of addresses with coordinates: --places FILE. kawe itself looks no "
    "address up."
)
_CONTACT_FIELDS = ("contact_name", "contact_role", "contact_phone")
_ORGANISATION_DETAILS = (
    "organisation_address",
    "organisation_city",
    "organisation_country",
    "organisation_postcode",
    "organisation_latitude",
    "organisation_longitude",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """One rule that a row breaks."""

    field: str
    severity: Severity
    rule: str
    message: str
    advice: str

    def on(self, row: TableRow) -> Finding:
        """Make the finding of it."""
        words = self.message, self.advice
        return mark(
            row, self.field, severity=self.severity, rule=self.rule, words=words
        )


def value_breaches(values: Mapping[str, CellValue]) -> Iterator[Breach]:
    """Check what must be given together (interface, CreateProjectBody)."""
    given = [name for name in _CONTACT_FIELDS if name in values]
    if given or "contact_email" in values:
        for name in _CONTACT_FIELDS:
            if name not in values:
                words = name.replace("_", " ")
                yield Breach(
                    field=name,
                    severity=Severity.ERROR,
                    rule="contact-incomplete",
                    message=f"A contact is given without {words}.",
                    advice=f"Fill in {words}, or leave all contact cells empty.",
                )
    details = [name for name in _ORGANISATION_DETAILS if name in values]
    if details and "organisation" not in values:
        yield Breach(
            field="organisation",
            severity=Severity.ERROR,
            rule="organisation-unnamed",
            message="Organisation details are given without the organisation's name.",
            advice="Fill in the organisation, or clear its other cells.",
        )


def content_breaches(said: ProjectSaid, *, today: date) -> Iterator[Breach]:
    """Check dates and what a send needs (interface, CreateProjectBody).

    A date that cannot be read breaks no rule.
    """
    yield from _date_breaches(said, today=today)
    if said.send and said.place is None and "place" not in said.unclear:
        yield Breach(
            field="latitude",
            severity=Severity.ERROR,
            rule=PLACE_NEEDED,
            message="The row is to be sent but says no place.",
            advice="Fill in latitude and longitude, or easting and northing: the "
            "place decides which iwi is asked." + (_FROM_ADDRESS * bool(said.address)),
        )


def _date_breaches(said: ProjectSaid, *, today: date) -> Iterator[Breach]:
    start, end, respond_by = said.start_on, said.end_on, said.respond_by_on
    if respond_by and end and respond_by > end:
        yield Breach(
            field="respond_by_date",
            severity=Severity.ERROR,
            rule="respond-by-after-end",
            message=f"Respond by ({short_day_words(respond_by)}) is after "
            f"the end date ({short_day_words(end)}).",
            advice="Iwi must be able to respond before the project ends: choose an "
            "earlier respond-by date or a later end date.",
        )
    if start and end and start > end:
        yield Breach(
            field="start_date",
            severity=Severity.WARNING,
            rule="start-after-end",
            message=f"The start date ({short_day_words(start)}) is after "
            f"the end date ({short_day_words(end)}).",
            advice="Look whether the two were swapped.",
        )
    for name, on, words in (
        ("respond_by_date", respond_by, "Respond by"),
        ("end_date", end, "The end date"),
    ):
        if on and on < today:
            yield Breach(
                field=name,
                severity=Severity.WARNING,
                rule="date-past",
                message=f"{words} ({short_day_words(on)}) is in the past.",
                advice="Check the year.",
            )


def respond_by_breach(
    said: ProjectSaid, *, today: date, days: WorkingDays
) -> Breach | None:
    """Warn of a day to respond by that cannot be meant, or on which nobody works.

    The service takes it, and an emergency may need it. A day that has gone by
    already has its own warning.
    """
    on = said.respond_by_on
    begins, end = said.start_on, said.end_on
    # Of works that begin so late too, the whole batch says it in one line; a day after
    # the end is an error already.
    is_far = on and begins and on > max(today, begins) + A_YEAR
    if on and is_far and not (end and on > end):
        return Breach(
            field="respond_by_date",
            severity=Severity.WARNING,
            rule="respond-by-far-away",
            message=f"Respond by ({short_day_words(on)}) is more than a year away: "
            f"{(on - today).days / 365.25:.1f} years from today.",
            advice="Check the year.",
        )
    day_off = days.day_off(on) if on and on >= today else None
    if on is None or day_off is None:
        return None
    return Breach(
        field="respond_by_date",
        severity=Severity.WARNING,
        rule="respond-by-day-off",
        message=f"Respond by ({short_day_words(on)}) is {day_off}; until then "
        f"{_left(days.until(on, today=today), days)} from today.",
        advice=_advice(on, end=said.end_on, today=today, days=days),
    )


def _left(count: int, days: WorkingDays) -> str:
    # Without the extra, the count is of days that are no weekend and no summer.
    rest = "" if days.knows_holidays else ", public holidays not counted out,"
    is_left = "is left" if count == 1 else "are left"
    return f"{counted(count, 'working day')}{rest} {is_left}"


def _advice(on: date, *, end: date | None, today: date, days: WorkingDays) -> str:
    """Offer the next working day, or the one before where the project ends."""
    after = _nearest(on, step=_ONE_DAY, days=days)
    if after is not None and (end is None or after <= end):
        return f"Choose a working day, such as {short_day_words(after)}."
    before = _nearest(on, step=-_ONE_DAY, days=days)
    if before is not None and before > today:
        return f"Choose a working day, such as {short_day_words(before)}."
    return "Choose a working day, and a later end date."


def _nearest(on: date, *, step: timedelta, days: WorkingDays) -> date | None:
    for _ in range(_LONGEST_BREAK_DAYS):
        on += step
        if days.day_off(on) is None:
            return on
    return None
