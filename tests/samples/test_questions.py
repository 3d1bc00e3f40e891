"""The page of questions quotes every finding of the sample with mistakes."""

import asyncio
import re

from architecture.house import ROOT
from docs_pages import Page, table_rows
from kawe.domain.batch.readings import Reading
from samples.expecting import SAMPLES

PAGE = Page(
    name="docs/how-to/questions.md",
    text=(ROOT / "docs/how-to/questions.md").read_text("utf-8"),
)
_SAYS = re.compile(r'"(.+)" \(`([a-z-]+)`\)')


def test_every_finding_of_the_sample_is_quoted_as_kawe_says_it(toolkit):
    workbook = SAMPLES / "bad" / "200-rows-20-mistakes" / "projects.xlsx"

    async def go():
        async with toolkit.open_service() as service:
            return await toolkit.check(
                Reading(workbook=workbook), service=service, journal=None
            )

    said = {each.rule: each.message for each in asyncio.run(go()).findings}
    quoted = [_SAYS.fullmatch(row[0]) for row in table_rows(PAGE.lines())]
    assert [each[2] for each in quoted if each[1] not in said[each[2]]] == []
    assert [each[2] for each in quoted] == list(said)
