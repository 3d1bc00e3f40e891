"""Links to a map, for rows that say an address and no place."""

from __future__ import annotations

from dataclasses import replace

from kawe.domain.batch.outcomes import BatchReport, RowReport
from kawe.domain.service.places import PLACE_NEEDED, map_search


def with_map_links(report: BatchReport) -> BatchReport:
    """Give each row that lacks a place, and has no project, a link to look for it."""
    found = (e for e in report.read_as.read if e.means and e.means.field == "address")
    heading = next((each.heading for each in found), None)
    if heading not in report.headings:
        return report
    at = report.headings.index(heading)
    return replace(report, rows=tuple(_linked(row, at) for row in report.rows))


def _linked(row: RowReport, at: int) -> RowReport:
    address = row.raw[at] if at < len(row.raw) else None
    is_lost = any(finding.rule == PLACE_NEEDED for finding in row.findings)
    if row.link or not is_lost or not isinstance(address, str) or not address.strip():
        return row
    return replace(row, link=map_search(address))
