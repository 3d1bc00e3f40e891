"""Whole lists are read while they shift, and never without end."""

import asyncio
from dataclasses import replace

import pytest

from doubles.machine import AskedToStop
from doubles.service import MemoryService
from kawe.domain.service.service_words import Page
from kawe.errors import ContractBroken, ServiceUnreachable
from kawe.flows import scanning
from kawe.flows.scanning import read_organisations, scan
from kawe.flows.tools import StopSignal


class Listing:
    """Gives pages by a rule; counts what was asked for."""

    def __init__(self, rule):
        self.rule, self.asked = rule, []

    async def read(self, page):
        self.asked.append(page)
        items, total = self.rule(page, len(self.asked))
        return Page(items=tuple(items), total=total, page=page)

    def scan(self):
        return asyncio.run(scan(self.read, identify=str))


def paged(items, *, size=100, total=None):
    def rule(page, _):
        return items[(page - 1) * size : page * size], (
            len(items) if total is None else total
        )

    return rule


@pytest.mark.parametrize("number", [0, 1, 99, 100, 101, 250])
def test_a_list_that_holds_still_is_read_whole(number):
    found = Listing(paged(range(number))).scan()
    assert (found.items, found.is_stable) == (tuple(range(number)), True)


def test_a_service_that_gives_shorter_pages_is_read_whole():
    found = Listing(paged(range(95), size=20)).scan()
    assert (len(found.items), found.is_stable) == (95, True)


@pytest.mark.parametrize("total", [0, 100, 249, 10**9])
def test_a_total_that_lies_is_not_believed_and_nothing_is_lost(total):
    found = Listing(paged(range(250), total=total)).scan()
    assert (len(found.items), found.is_stable) == (250, False)


def test_a_service_that_ignores_pages_does_not_go_on_for_ever():
    listing = Listing(lambda *_: (range(100), 500))
    assert (listing.scan().is_stable, listing.asked) == (False, [1, 2] * 3)


def test_a_list_without_end_is_given_up(monkeypatch):
    monkeypatch.setattr(scanning, "_MOST_PAGES", 7)
    listing = Listing(lambda page, _: (range(page * 100, page * 100 + 100), 10**6))
    with pytest.raises(ContractBroken, match="7 pages"):
        listing.scan()
    assert len(listing.asked) == 7


def test_a_list_that_shifts_once_is_read_again():
    def rule(page, asked):
        # A project is made between the first and the second page.
        items = list(range(150)) if asked == 1 else [999, *range(150)]
        return items[(page - 1) * 100 : page * 100], len(items)

    found = Listing(rule).scan()
    assert (len(found.items), found.is_stable) == (151, True)


def test_a_run_that_is_stopped_reads_no_further_page():
    stop = StopSignal(halt=AskedToStop())

    def rule(page, asked):
        stop.halt.asked = asked == 2
        return paged(range(500))(page, asked)

    listing = Listing(rule)
    found = asyncio.run(scan(listing.read, identify=str, stop=stop))
    assert (len(found.items), found.is_stable, listing.asked) == (200, False, [1, 2])


class Restless(MemoryService):
    """Says each time that there is one organisation more."""

    async def organisations(self, *, page):
        found = await super().organisations(page=page)
        return replace(found, total=found.total + self.calls["organisations"])


def test_organisations_of_a_list_that_does_not_hold_still_are_not_believed():
    with pytest.raises(ServiceUnreachable, match="kept changing"):
        asyncio.run(read_organisations(Restless()))
