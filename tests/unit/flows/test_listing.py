"""Lists are read whole while they shift, counted, and written once."""

import asyncio
from collections import Counter
from contextlib import contextmanager
from datetime import UTC, date, datetime

import pytest

from doubles.machine import AskedToStop, quiet_tools
from doubles.service import MemoryService
from kawe.domain.service.list_tables import INVOICES, LISTS, PARTS, PROJECTS, TEAM
from kawe.domain.service.lists import ListAsked
from kawe.domain.service.service_words import Page
from kawe.errors import ContractBroken, PathUnknown
from kawe.flows.listing import Lister, export_list
from kawe_contract.operations import OPERATIONS

AT = datetime(2026, 11, 3, tzinfo=UTC)


class Lists(MemoryService):
    """Knows lists by operation and project; a rule may bend each answer."""

    def __init__(self, **lists):
        super().__init__()
        self.lists, self.unknown = lists, set()
        self.bend = lambda _, answer: answer
        self.tabs = {}

    async def listed(self, operation, *, path, page, query=None):  # noqa: ARG002 - a port
        of = path.get("id", "") if operation in PART_NAMES else ""
        if operation in self.unknown or (of, operation) in self.unknown:
            raise PathUnknown(message=f"Not known: {operation}.")
        items = self.lists.get(operation, ())
        items = items.get(of, ()) if of else items
        answer = Page(
            items=tuple(items[(page - 1) * 100 : page * 100]),
            total=len(items),
            page=page,
            tab_counts=self.tabs if operation == "project_list" else {},
        )
        return self.bend(operation, answer)


PART_NAMES = {part.operation for part in PARTS}
THREAD, DOCUMENTS, LOG = PARTS


class Spool(list):
    """Keeps objects in memory."""

    def put(self, item):
        self.append(item)
        return len(self) - 1

    def get(self, place):
        return self[place]


class Earlier(dict):
    """An export of before, by id."""

    written_at = AT

    def ids(self):
        return self.keys()


class Out:
    """Keeps what is written, and whether it was kept."""

    def __init__(self):
        self.records, self.is_kept = [], False

    @contextmanager
    def open(self, counts):
        self.counts = counts
        yield self.records.append
        self.is_kept = True


def run(service, asked, *, earlier=None, halt=None, out=None, prepare=None):
    out = out or Out()
    lister = Lister(
        tools=quiet_tools(service, halt=halt or AskedToStop(), workers=4),
        spool=Spool(),
        team_id="team",
        link="https://portal.example/{id}",
        earlier=earlier,
        prepare=prepare,
    )
    return asyncio.run(export_list(lister, asked, opened=out.open)), out


def things(number, **more):
    return [
        {"id": f"p{n}", "created_on": "2026-11-03T01:00:00Z", **more}
        for n in range(number)
    ]


def written(out):
    return [record.item["id"] for record in out.records]


def shifted_once():
    """Let one row come twice, once: as when a colleague creates one meanwhile."""
    left = Counter(times=1)

    def bend(operation, answer):
        if answer.page == 2 and operation not in PART_NAMES and left["times"]:
            left["times"] -= 1
            return Page(
                items=(answer.items[0], *answer.items[:-1]), total=answer.total, page=2
            )
        return answer

    return bend


@pytest.mark.parametrize("name", LISTS)
def test_every_record_of_every_list_is_exported_once_although_pages_shift(name):
    service = Lists(**{LISTS[name].operation: things(250)})
    service.bend = shifted_once()
    export, out = run(service, ListAsked(records=LISTS[name]))
    assert sorted(written(out)) == sorted(each["id"] for each in things(250))
    assert (export.is_complete, export.counts.listed, export.counts.total) == (
        True,
        250,
        250,
    )


def test_a_list_that_keeps_shifting_is_written_and_not_called_complete():
    service = Lists(project_list=things(150))

    def bend(_, answer):
        items = answer.items[1:] if answer.page == 2 else answer.items
        return Page(items=items, total=answer.total, page=answer.page)

    service.bend = bend
    export, out = run(service, ListAsked(records=PROJECTS))
    assert (export.is_complete, out.is_kept, len(out.records)) == (False, True, 149)
    assert next(export.counts.lines(export.asked)) == (
        "149 of 150 projects. NOT proven to be complete: the list kept changing while "
        "kawe read it."
    )


@pytest.mark.parametrize(("counted", "is_proven"), [(2, True), (3, False)])
def test_the_count_of_the_tab_must_agree(counted, is_proven):
    service = Lists(project_list=things(2))
    service.tabs = {"all": 9, "active": counted, "closed": 7, "completed": 0}
    asked = ListAsked(records=PROJECTS, query={"active_status": "active"})
    export, _ = run(service, asked)
    assert export.is_complete is is_proven
    assert next(export.counts.lines(asked)).startswith(
        f"2 of 2 projects: {counted} active, 7 closed, 0 completed."
    )


def test_what_belongs_to_each_project_is_read_whole():
    service = Lists(
        project_list=things(2),
        engagement_list={"p0": things(130), "p1": things(1)},
        project_logs={"p0": things(1)},
    )
    export, out = run(service, ListAsked(records=PROJECTS, parts=(THREAD, LOG)))
    assert export.is_complete
    assert [
        (len(each.item["engagements"]), len(each.item["logs"])) for each in out.records
    ] == [(130, 1), (1, 0)]
    assert out.records[0].about == {"link": "https://portal.example/p0"}


def test_a_path_that_is_assumed_and_unknown_is_said_once_and_the_rest_goes_on():
    service = Lists(project_list=things(3), engagement_list={})
    service.unknown = {"project_logs"}
    export, out = run(service, ListAsked(records=PROJECTS, parts=(THREAD, LOG)))
    assert (export.is_complete, export.troubles) == (
        False,
        ("The export has no log of projects. Not known: project_logs.",),
    )
    assert [sorted(each.item) for each in out.records] == [
        ["created_on", "engagements", "id"]
    ] * 3


def test_a_project_that_is_no_longer_shown_is_said():
    service = Lists(project_list=things(2), engagement_list={})
    service.unknown = {("p1", "engagement_list")}
    export, out = run(service, ListAsked(records=PROJECTS, parts=(THREAD,)))
    assert export.troubles == (
        "The service no longer showed a project that it had listed (1 request).",
    )
    assert written(out) == ["p0", "p1"]


def test_a_thread_that_keeps_changing_is_left_out_and_said():
    service = Lists(project_list=things(1), engagement_list={"p0": things(2)})

    def bend(operation, answer):
        total = answer.total + (operation == "engagement_list")
        return Page(items=answer.items, total=total, page=answer.page)

    service.bend = bend
    export, out = run(service, ListAsked(records=PROJECTS, parts=(THREAD,)))
    (said,) = export.troubles
    assert said.startswith("1 list of what belongs to a project kept changing while")
    assert said.endswith("and is left out.")
    assert out.records[0].item == things(1)[0]


def earlier_of(*items):
    return Earlier({each["id"]: each for each in items})


@pytest.mark.parametrize("is_fresh", [False, True])
def test_only_projects_that_changed_are_asked_for_their_threads(is_fresh):
    same, moved, new = things(3, updated_on="2026-11-03")
    service = Lists(
        project_list=[same, moved, new],
        engagement_list={f"p{n}": things(n + 1) for n in range(3)},
    )
    before = earlier_of(
        {**same, "engagements": [{"id": "kept"}]},
        {**moved, "updated_on": "2026-11-02", "engagements": [{"id": "old"}]},
        {"id": "p9", "engagements": []},
    )
    asked = ListAsked(records=PROJECTS, parts=(THREAD,), is_fresh=is_fresh)
    export, out = run(service, asked, earlier=before)
    threads = [each.item["engagements"] for each in out.records]
    assert threads == [
        things(1) if is_fresh else [{"id": "kept"}],
        things(2),
        things(3),
    ]
    assert export.reused == (0 if is_fresh else 1)
    assert export.counts.since_words() == (
        "Since the export of 13:00 on 3 November 2026, whose file is unaltered: 1 new, "
        "1 changed, 1 unchanged, 1 no longer listed."
    )


def test_the_days_are_those_of_new_zealand_and_the_sums_are_of_what_is_taken():
    times = ["2026-09-30T10:59:59Z", "2026-09-30T11:00:00Z", "2026-10-31T10:59:00Z"]
    money = {"quantity": 5, "amount_total": 11_550, "currency": "nzd"}
    invoices = [
        {"id": str(n), "created_on": at, **money}
        for n, at in enumerate([*times, "2026-10-31T11:00:00Z", "never"])
    ]
    invoices[-1] |= {"quantity": None, "amount_total": None}
    asked = ListAsked(
        records=INVOICES, since_on=date(2026, 10, 1), until_on=date(2026, 10, 31)
    )
    export, out = run(Lists(invoice_list=invoices), asked)
    # What has no time that can be read is kept.
    assert written(out) == ["1", "2", "4"]
    first, *others = export.counts.lines(asked)
    assert first.startswith("5 of 5 invoices. Complete: the service counts as many")
    asked_for = "created on or after 1 October 2026; created on or before 31 October"
    assert others == [
        f"Asked for: {asked_for} 2026.",
        "In this export: 3 invoices.",
        "In all: 10 tokens, NZD 231.00.",
    ]


def test_a_batch_takes_its_own_projects_and_nothing_is_called_gone():
    service = Lists(project_list=things(5))
    asked = ListAsked(records=PROJECTS, batch="monthly", only=frozenset({"p1", "p3"}))
    export, out = run(service, asked, earlier=earlier_of({"id": "p9"}))
    assert (written(out), export.counts.gone) == (["p1", "p3"], 0)
    assert "Asked for: of the batch monthly." in list(export.counts.lines(asked))


def test_a_team_is_one_object_whose_lists_are_counted():
    team = {"id": "team", "users": [{"email": "a"}, {"email": "b"}], "invitations": []}
    export, out = run(Lists(team_read=[team]), ListAsked(records=TEAM))
    assert list(export.counts.lines(export.asked)) == ["Members: 2. Invitations: 0."]
    assert [each.item for each in out.records] == [team]


def test_a_stop_while_the_list_is_read_writes_nothing():
    halt = AskedToStop()
    halt.asked = True
    export, out = run(
        Lists(project_list=things(150)), ListAsked(records=PROJECTS), halt=halt
    )
    assert (export.is_stopped, export.is_complete, out.records) == (True, False, [])


def test_a_stop_while_threads_are_read_keeps_no_file():
    halt = AskedToStop()
    service = Lists(project_list=things(3), engagement_list={})

    def bend(operation, answer):
        halt.asked = operation == "engagement_list"
        return answer

    service.bend = bend
    export, out = run(service, ListAsked(records=PROJECTS, parts=(THREAD,)), halt=halt)
    assert (export.is_stopped, out.is_kept) == (True, False)


@pytest.mark.parametrize("odd", [{"id": 5}, {"id": ""}, {}])
def test_a_record_without_an_id_is_no_record(odd):
    with pytest.raises(ContractBroken, match="without an id"):
        run(Lists(project_list=[odd]), ListAsked(records=PROJECTS))


def test_every_list_names_operations_of_the_contract():
    assert {each.operation for each in (*LISTS.values(), *PARTS)} <= OPERATIONS.keys()


def test_what_belongs_to_a_short_list_is_saved_before_the_list_is_written():
    out, seen = Out(), []

    async def prepare(items):
        seen.append(([each["id"] for each in items], out.is_kept))

    service = Lists(report_list=things(3))
    asked = ListAsked(records=LISTS["reports"])
    export, _ = run(service, asked, out=out, prepare=prepare)
    assert (seen, out.is_kept) == ([(["p0", "p1", "p2"], False)], True)
    assert export.counts.since_words() == ""
