"""Many rows at once, and what is left to do for each while others go on."""

import asyncio

import pytest

from kawe.errors import JournalError
from kawe.flows.tools import StopSignal, each


class _NoHalt:
    asked = False


def _do(work, *, workers=1):
    asyncio.run(each([1, 2, 3], work, workers=workers, stop=StopSignal(halt=_NoHalt())))


def test_an_ending_begins_before_the_next_item_and_is_waited_for_beside_it():
    told = []
    second_is_done = asyncio.Event()

    async def ending(item):
        told.append(f"{item} is being written")
        if item == 1:
            await second_is_done.wait()
        told.append(f"{item} is written")

    async def work(item):
        told.append(f"{item} is done")
        if item == 2:
            second_is_done.set()
        return ending(item)

    _do(work)
    assert (told[:3], sorted(told[3:])) == (
        ["1 is done", "1 is being written", "2 is done"],
        [
            "1 is written",
            "2 is being written",
            "2 is written",
            "3 is being written",
            "3 is done",
            "3 is written",
        ],
    )


def test_an_ending_that_fails_stops_the_items_that_are_left():
    taken = []

    async def ending():
        raise JournalError(message="The disk is full.")

    async def work(item):
        taken.append(item)
        if item == 1:
            return ending()
        return await asyncio.Event().wait()

    with pytest.raises(JournalError, match="The disk is full"):
        _do(work)
    assert taken == [1, 2]
