"""What an export of a list saved, in words and as a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kawe.cli.output.exit import ExitCode
from kawe.cli.output.paper_words import finding_lines, findings_document
from kawe.cli.shared.options import CommandContext
from kawe.domain.service.list_exports import ListExport
from kawe.domain.service.papers import FileFinding
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line
from kawe.toolkit.records.listing import WrittenList
from kawe.toolkit.records.papers import ListPapers


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedList:
    """What an export saved."""

    done: ListExport
    written: WrittenList
    findings: tuple[FileFinding, ...] = ()
    """Papers that are not as they were saved."""
    new_papers: int = 0
    again: str = "Run the same command again to have it complete."
    requests: tuple[str, ...] = ()
    """What is to be said of requests for reports."""


def with_papers(saved: SavedList, papers: ListPapers | None) -> SavedList:
    """Add what became of the papers of a list."""
    if papers is None:
        return saved
    return replace(
        saved,
        done=with_troubles(saved.done, papers.troubles),
        findings=papers.findings,
        new_papers=papers.new,
    )


def with_troubles(done: ListExport, troubles: tuple[str, ...]) -> ListExport:
    return replace(done, troubles=(*troubles, *done.troubles))


def code_of_export(context: CommandContext, saved: SavedList) -> ExitCode:
    """Give the exit code of an export."""
    if context.stopping.asked:
        return ExitCode.INTERRUPTED
    if not saved.done.is_complete:
        return ExitCode.SERVICE
    return ExitCode.NOT_AS_SAVED if saved.findings else ExitCode.DONE


def lines_of_export(saved: SavedList, context: CommandContext) -> Iterator[str]:
    """Say what was saved, and whether it is complete."""
    done, written = saved.done, saved.written
    yield from done.counts.lines(done.asked)
    for trouble in (*saved.requests, *done.troubles):
        yield one_line(trouble, limit=600)
    if done.is_stopped:
        yield "Stopped: nothing was written, and earlier files are as they were."
        return
    if since := done.counts.since_words():
        yield since
    if done.reused:
        names = ", ".join(part.name for part in done.asked.parts)
        yield (
            f"Not asked again, because the project has not changed: {names} of "
            f"{counted(done.reused, 'project')}."
        )
    for wanted, name in written.kept.items():
        yield (
            f"{one_line(wanted)} is not as kawe wrote it: it stays, and the new file "
            f"is {one_line(name)}."
        )
    yield from finding_lines(
        saved.findings, is_verbose=context.verbose, rest=": --verbose names them."
    )
    if saved.new_papers:
        yield f"New: {counted(saved.new_papers, 'paper')}."
    names = ", ".join(one_line(name) for name in written.files)
    yield f"Written into {one_line(str(written.folder))}: {names}"
    if not done.is_complete:
        yield saved.again


def document_of_export(saved: SavedList) -> Mapping[str, Any]:
    """Give the same as a document for `--json`."""
    done, written = saved.done, saved.written
    counts = done.counts
    return {
        "is_complete": done.is_complete,
        "is_proven": counts.is_proven,
        "listed": counts.listed,
        "total": counts.total,
        "tab_counts": dict(counts.tabs),
        "exported": counts.taken,
        "asked_for": done.asked.words(),
        "sums": dict(counts.sums),
        "new": counts.new,
        "changed": counts.changed,
        "unchanged": counts.unchanged,
        "no_longer_listed": counts.gone,
        "not_asked_again": done.reused,
        "requests": list(saved.requests),
        "troubles": list(done.troubles),
        "findings": findings_document(saved.findings),
        "new_papers": saved.new_papers,
        "folder": str(written.folder),
        "files": dict(written.files),
        "kept": dict(written.kept),
    }
