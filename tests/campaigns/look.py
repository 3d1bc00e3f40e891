"""What it costs to compare a month of 100 rows with all that a team has.

    PYTHONPATH=tests .venv/bin/python -m campaigns.look
        50, 1,000, 20,000 and 50,000 projects of others; --tiny: 50 and 200

A service in memory counts requests and takes no time; the first run has an empty
journal, the second one what the first kept. At 50 ms a request, and eight of them
under way at once, a request adds 6 to 50 ms.
"""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import replace

from doubles.figures import Asked
from doubles.machine import quiet_tools
from doubles.memory_journal import MemoryJournal
from doubles.rows import checked_projects, project
from doubles.service import AT, MemoryService
from doubles.sheets import TODAY
from kawe.domain.service.service_words import Project, ProjectId
from kawe.flows.check.repeats import what_was_before
from kawe.flows.look import look_at_team, sought_by
from kawe_places.values import Place

ROWS = 100


def _others(number: int) -> list[Project]:
    """Give projects that each have a name, a place and words of their own."""
    return [
        Project(
            id=ProjectId(f"10000000-0000-4000-8000-{each:012d}"),
            name=f"Renewal of the main in {_words(each)} Street",
            reference=f"X-{each}",
            status="NEW",
            description=f"The main is renewed between {_words(each)} and the park.",
            created_at=AT,
            start_at=AT,
            end_at=AT,
            respond_by_at=AT,
            place=Place(latitude=-35 - each % 997 / 90, longitude=175 + each / 90_000),
        )
        for each in range(number)
    ]


def _words(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) * 2 for digit in f"{number:06d}")


async def _once(service: MemoryService, journal: MemoryJournal) -> tuple[int, float]:
    rows = checked_projects(
        [
            replace(
                project(n, name=f"Culvert of {_words(n)}", description=f"{_words(n)}."),
                address=None,
                place=Place(latitude=-40 - n / 100, longitude=176.0),
            )
            for n in range(ROWS)
        ]
    ).rows
    before, begun = service.asked, time.process_time()
    wanted = sought_by([(each.marker, each.project) for each in rows if each.project])
    tools = quiet_tools(service, workers=8)
    look = await look_at_team(tools, wanted, journal=journal)
    await what_was_before(rows, known={}, look=look, journal=journal, today=TODAY)
    return service.asked - before, time.process_time() - begun


async def _measure(number: int) -> None:
    service = MemoryService(projects_there=_others(number))
    journal = MemoryJournal()
    runs = [await _once(service, journal) for _ in range(2)]
    print(
        f"{number:>7,} projects"
        + "".join(f"  {asked:>4} requests {cpu:6.2f} s CPU" for asked, cpu in runs)
    )


def main() -> int:
    """Print what the first and the second look cost."""
    tiny = Asked(__doc__, tiny=False).tiny
    for number in (50, 200) if tiny else (50, 1_000, 20_000, 50_000):
        asyncio.run(_measure(number))
    return 0


if __name__ == "__main__":
    sys.exit(main())
