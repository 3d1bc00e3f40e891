"""What a look reads of a team's projects, and in how many requests."""

import asyncio
from dataclasses import replace

import pytest

from doubles.machine import quiet_tools
from doubles.memory_journal import MemoryJournal
from doubles.rows import project
from doubles.service import MemoryService, projects_of_others
from kawe.errors import ServiceUnreachable
from kawe.flows.look import look_at_team, sought_by

ROW = project(1, reference=None, name="Weir at Ōtaki", address=None)
SOUGHT = sought_by([("KW1", ROW)])


def look(service, journal=None, *, keeps=True):
    return asyncio.run(
        look_at_team(
            quiet_tools(service),
            SOUGHT,
            journal=journal or MemoryJournal(),
            keeps=keeps,
        )
    )


def named(number, **changes):
    """Give a project of somebody else about the row's work."""
    (other,) = projects_of_others(1)
    said = {"name": ROW.name, "description": ROW.description, "place": ROW.place}
    return replace(other, id=f"id-{number}", **{**said, **changes})


@pytest.mark.parametrize(("others", "is_whole"), [(150, True), (450, False)])
def test_whichever_takes_fewer_requests_is_done(others, is_whole):
    seen = look(MemoryService(projects_there=[*projects_of_others(others), named(1)]))
    found = len(seen.projects) if is_whole else list(seen.projects)
    expected = others + 1 if is_whole else ["id-1"]
    assert (seen.is_whole, seen.total, found) == (is_whole, others + 1, expected)


def test_what_no_search_finds_is_read_again_where_an_earlier_look_saw_it():
    service = MemoryService(projects_there=[named(1, name="Something else")])
    journal = MemoryJournal()
    look(service, journal)
    service.projects_there += projects_of_others(450)
    found = [look(service, each) for each in (MemoryJournal(), journal)]
    assert [list(each.projects) for each in found] == [[], ["id-1"]]


def test_what_an_earlier_look_saw_and_is_gone_is_not_there():
    service = MemoryService(projects_there=[named(1, name="Something else")])
    journal = MemoryJournal()
    look(service, journal)
    service.projects_there = projects_of_others(450)
    assert list(look(service, journal).projects) == []


def test_a_preview_keeps_nothing_of_what_it_saw():
    journal = MemoryJournal()
    look(MemoryService(projects_there=[named(1)]), journal, keeps=False)
    assert asyncio.run(journal.team_projects()) == ()


class Shifting(MemoryService):
    """A service whose lists always have one more than they show."""

    async def projects(self, **words):
        page = await super().projects(**words)
        return replace(page, total=page.total + 1)


def test_a_list_that_never_stands_still_proves_nothing():
    service = Shifting(projects_there=projects_of_others(150))
    with pytest.raises(ServiceUnreachable, match="kept changing"):
        look(service)
