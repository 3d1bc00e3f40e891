from dataclasses import replace

import pytest

from doubles.reports import report_of, report_row
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.service_words import PLACE_NEEDED, map_search
from kawe.domain.sheet.tables import NO_COLUMNS, Heading, How
from kawe.flows.report.reporting import with_map_links
from kawe.kinds.projects import PROJECTS
from kawe.schemas.catalog import load_columns

ADDRESS = next(each for each in load_columns(PROJECTS) if each.field == "address")
WHERE = Heading(column=3, text="Where", key="where", how=How.NAME, means=ADDRESS)


def linked(address, **changes):
    row = report_row(2, Outcome.INVALID)
    lost = replace(row.findings[0], rule=PLACE_NEEDED)
    row = replace(row, link=None, findings=(lost,), raw=("R-2", "Weir", *address))
    report = replace(
        report_of([replace(row, **changes)]),
        headings=("Reference", "Name", "Where"),
        read_as=replace(NO_COLUMNS, every=(WHERE,)),
    )
    return with_map_links(report).rows[0].link


def test_a_row_with_an_address_and_no_place_gets_a_link():
    assert linked(["1 Rātā Street"]) == (
        "https://www.google.com/maps/search/?api=1&query=1%20R%C4%81t%C4%81%20Street"
    )


@pytest.mark.parametrize(
    ("address", "changes"),
    [([], {}), ([None], {}), ([" "], {}), ([7.0], {}), (["1 Quay"], {"findings": ()})],
)
def test_other_rows_get_none(address, changes):
    assert linked(address, **changes) is None


def test_a_link_to_a_project_stays():
    assert linked(["1 Quay"], link="https://p.example/1") == "https://p.example/1"


def test_without_a_column_of_addresses_there_are_no_links():
    report = report_of([report_row(2, Outcome.INVALID)])

    assert with_map_links(report) == report


def test_hostile_addresses_are_harmless_and_short():
    link = map_search('"><script>\u202e\n=1+1&api=2#' + "ā" * 5_000 + "\ud800")

    assert link.isascii()
    assert len(link) < 1_500
    assert not set(link.partition("query=")[2]) & set('"<>#&+= \n')
