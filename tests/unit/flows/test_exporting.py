"""Receipts: each is saved once, and what is missing is said."""

import asyncio
import hashlib
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from doubles.loops import awaited
from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, project
from doubles.service import AT, MemoryService
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.papers import FileFinding, FileTrouble, ListedFile, SavedFile
from kawe.domain.service.service_words import DocumentId, Page, Receipt
from kawe.domain.service.states import State
from kawe.errors import KeyRefused, PathUnknown, ScopeMissing, ServiceUnreachable
from kawe.flows.papers import Exporter, export_receipts


def receipt(number, name):
    return Receipt(
        id=str(UUID(int=number)),
        document_id=DocumentId(f"d-{number}"),
        project_name=name,
        receipt_number=f"RC-{number}",
        submission_number=f"S-{number}",
        created_at=AT,
    )


class Papers(MemoryService):
    """A service with receipts."""

    __slots__ = ("endless", "logged", "papers", "troubles")

    def __init__(self):
        super().__init__()
        self.papers, self.logged = [], {}
        self.troubles = {"d-9": ServiceUnreachable(message="Gone.")}
        self.endless = None

    async def receipts(self, team_id, *, page):
        await super().receipts(team_id, page=page)
        items = tuple(self.papers[(page - 1) * 100 : page * 100])
        return Page(items=items, total=len(self.papers), page=page)

    async def listed(self, operation, *, path, page, query=None):
        """Give the log of a project, where there is one."""
        del query
        self.calls[operation] += 1
        if path["id"] not in self.logged:
            raise PathUnknown(message="Not found.")
        at = self.logged[path["id"]].isoformat()
        item = {"id": "1", "action": "SENT", "created_on": at}
        return Page(items=(item,), total=1, page=page)

    async def chunks(self, document):
        self.calls["document"] += 1
        if document in self.troubles:
            raise self.troubles[document]
        yield b"%PDF "
        yield document.encode()
        if self.endless is not None and document == "d-7":
            self.endless.asked = True
            await asyncio.Event().wait()


class Folder:
    """Implements the port `ExportFolder` in memory."""

    def __init__(self):
        self.kept, self.export, self.found = {}, None, {}

    def take_stock(self):
        return {
            name: ListedFile(
                sha256=sha256, size_bytes=size, finding=self.found.get(name)
            )
            for name, (size, sha256) in self.kept.items()
        }

    def name_for(self, text, *, unique):
        return f"{text} {unique[-2:]}.pdf"

    async def save(self, name, chunks, *, starts_with):
        data = b"".join([each async for each in chunks])
        assert data.startswith(starts_with)
        size_bytes, sha256 = len(data), hashlib.sha256(data).hexdigest()
        self.kept[name] = (size_bytes, sha256)
        return SavedFile(size_bytes=size_bytes, sha256=sha256)

    def finish(self, export):
        self.export = export


class Desk:
    def __init__(self, *names):
        self.scene = MemoryScene(service=Papers())
        self.folder = Folder()
        contents = [project(n, name=name) for n, name in enumerate(names)]
        if contents:
            self.scene.submit(checked_projects(contents))

    @awaited
    async def export(self):
        run = await self.scene.run()
        return await export_receipts(
            Exporter(
                tools=run,
                downloads=self.scene.service,
                folder=self.folder,
                journal=self.scene.journal,
                account=run.account,
            )
        )


def test_receipts_are_saved_and_given_to_their_rows():
    desk = Desk("One", "Two")
    desk.scene.service.papers = [receipt(2, "Two"), receipt(1, "One")]
    export = desk.export()
    assert [(each.number, each.reference, each.is_new) for each in export.receipts] == [
        ("RC-1", "R-0", True),
        ("RC-2", "R-1", True),
    ]
    states = {each.state for each in desk.scene.entries()}
    assert (states, export.is_complete) == ({State.RECEIPTED}, True)


def test_a_document_that_cannot_be_fetched_is_listed_and_stops_no_other():
    desk = Desk()
    desk.scene.service.papers = [receipt(9, "Nine"), receipt(1, "One")]
    export = desk.export()
    assert [(each.number, each.trouble) for each in export.missing] == [
        ("RC-9", "Gone.")
    ]
    assert len(export.receipts) == 2


@pytest.mark.parametrize("trouble", [KeyRefused, ScopeMissing])
def test_a_key_that_may_not_fetch_documents_ends_the_export(trouble):
    desk = Desk()
    desk.scene.service.papers = [receipt(1, "One")]
    desk.scene.service.troubles = {"d-1": trouble(message="No.")}
    with pytest.raises(trouble, match=r"^No\.$"):
        desk.export()
    assert (desk.folder.kept, desk.folder.export) == ({}, None)


@pytest.mark.parametrize("names", [("One", "One"), ("One",)], ids=["rows", "papers"])
def test_a_receipt_that_could_be_of_two_rows_is_left_to_a_person(names):
    desk = Desk(*names)
    desk.scene.service.papers = [receipt(n, "One") for n in range(3 - len(names))]
    desk.scene.service.papers.append(receipt(5, "One"))
    assert {each.reference for each in desk.export().receipts} == {None}


def in_one_second(*, delay_ms):
    """Give a desk that has sent two of one name within a second, and their receipts."""
    desk = Desk("One", "One")
    service, ids = desk.scene.service, [e.project_id for e in desk.scene.entries()]
    times = [AT + timedelta(milliseconds=each) for each in (40, 130)]
    delay = timedelta(milliseconds=delay_ms)
    service.papers = [
        replace(receipt(number, "One"), created_at=at + delay)
        for number, at in enumerate(times, 1)
    ]
    service.logged = dict(zip(ids, reversed(times), strict=True))
    return desk


def test_two_of_one_name_are_told_apart_by_the_instant_that_the_log_has():
    desk = in_one_second(delay_ms=0)
    wanted = [("RC-1", "R-1"), ("RC-2", "R-0")]
    # Once is enough: the journal keeps the numbers.
    for asked in (2, 2):
        found = [(each.number, each.reference) for each in desk.export().receipts]
        assert (found, desk.scene.service.calls["project_logs"]) == (wanted, asked)


def test_a_log_at_another_instant_than_the_receipts_tells_nothing():
    desk = in_one_second(delay_ms=1)
    assert {each.reference for each in desk.export().receipts} == {None}


def test_what_is_not_as_an_earlier_export_saved_it_is_named():
    desk = Desk()
    desk.scene.service.papers = [receipt(n, f"{n}") for n in (1, 2, 3)]
    desk.export()
    altered, missing, gone = desk.folder.kept
    desk.folder.found = {
        altered: FileFinding(file=altered, trouble=FileTrouble.ALTERED, what="aside"),
        missing: FileFinding(file=missing, trouble=FileTrouble.MISSING, what="gone"),
    }
    # What the service gives in its place now is another document.
    desk.folder.kept[missing] = (4, "0" * 64)
    desk.scene.service.papers.pop()
    export = desk.export()
    assert [(each.trouble.value, each.file) for each in export.findings] == [
        ("altered", altered),
        ("missing", missing),
        ("replaced", missing),
        ("not listed", gone),
    ]
    assert ([each.is_new for each in export.receipts], export.is_complete) == (
        [True, True],
        True,
    )


def test_an_export_that_was_stopped_is_not_complete():
    desk = Desk()
    desk.scene.service.papers = [receipt(1, "One")]
    desk.scene.halt.asked = True
    export = desk.export()
    assert (export.is_complete, export.receipts) == (False, ())


def test_a_document_without_end_stops_soon_after_the_person_asked_to():
    desk = Desk()
    desk.scene.service.papers = [receipt(7, "Seven"), receipt(1, "One")]
    desk.scene.service.endless = desk.scene.halt
    assert (
        [(each.number, each.trouble) for each in desk.export().missing],
        sum(desk.scene.clock.slept) < 10,
    ) == ([("RC-7", "The run was stopped.")], True)


def test_the_report_of_a_batch_gives_every_line_one_outcome():
    scene = Desk("One", "Two").scene
    contents = [project(0, name="One"), replace(project(5), send=False)]
    scene.submit(checked_projects(contents))
    report = scene.report(project_link="https://p/{id}")
    outcomes = [each.outcome for each in report.rows]
    assert outcomes == [Outcome.SENT, Outcome.DRAFTED, Outcome.SENT]
    assert (report.rows[0].link, "R-1 (sent)" in report.remarks[0]) == (
        f"https://p/{report.rows[0].project_id}",
        True,
    )
