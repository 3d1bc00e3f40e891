"""`kawe held`: rows that wait for a person, and what kawe knows of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any, Final

import click

from kawe.cli.output.exit import ExitCode
from kawe.cli.output.next_command import suggested
from kawe.cli.shared import claims
from kawe.cli.shared.declaring import taking
from kawe.cli.shared.options import LookOptions
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.texts import one_line
from kawe.toolkit.waiting.held import HeldRow, attempt_words, read_held

_MOST_LINES, _NAMED = 24, 12
_DECISIONS: Final = {
    "--adopt PROJECT-ID": "it is this project",
    "--retry           ": "ask again, then go on",
    "--abandon         ": "do nothing more",
}


@click.command(epilog="Example: kawe held")
@taking(LookOptions)
def held(options: LookOptions) -> int:
    """List the rows that are held, why, and how to decide.

    Asks the service nothing.
    """
    context = options.open()
    rows = asyncio.run(read_held(context.toolkit))
    return claims.answer(
        context,
        "held",
        ExitCode.ROWS_WAIT_FOR_PERSON if rows else ExitCode.DONE,
        waits=(Outcome.HELD,),
        document=lambda: {"rows": [_document(row) for row in rows]},
        lines=_all_lines(rows, verbose=context.verbose)
        if rows
        else ["No row is held."],
    )


def _all_lines(rows: Sequence[HeldRow], *, verbose: bool) -> Iterator[str]:
    """Say each reason once with its rows, and then what can be decided.

    Without `verbose`, what kawe did is told of the first rows alone.
    """
    left, others = len(rows) * _MOST_LINES if verbose else _MOST_LINES, list[HeldRow]()
    alike: dict[str, list[HeldRow]] = {}
    for row in rows:
        alike.setdefault(row.why_of_all, []).append(row)
    for group in alike.values():
        is_one = len(group) == 1
        why = group[0].why if is_one else group[0].why_of_all
        if not is_one and left > 0:
            yield f"{len(group):,} rows are held for one reason:"
            yield f"  {one_line(why, limit=500)}"
        for row in group:
            if left <= 0:
                others.append(row)
                continue
            lines = list(_lines(row, why=why if is_one else ""))
            left -= len(lines)
            yield from lines
    if others:
        named = [one_line(each.entry.marker, limit=40) for each in others[:_NAMED]]
        rest = len(others) - len(named)
        more = f" and {rest:,} more" if rest else ""
        yield (
            f"… and {counted(len(others), 'more row')}: {', '.join(named)}{more}; "
            "--verbose tells of each."
        )
    yield from _choice_lines(rows)


def _choice_lines(rows: Sequence[HeldRow]) -> Iterator[str]:
    """Say once how a person decides."""
    is_one = len(rows) == 1
    marker = rows[0].entry.marker if is_one else "ROW"
    its = f"for {one_line(marker)}" if is_one else "for the reference of each ROW"
    yield f"Search {its} in the portal, then one of:"
    for decision, effect in _DECISIONS.items():
        yield f"    {suggested('resolve', marker, also=decision)}   {effect}"
    if any(row.is_gone for row in rows):
        yield "A draft that is gone for good is made again: --retry, then submit."
    edited = [row for row in rows if row.may_update]
    if edited:
        yield "    kawe submit WORKBOOK --update-drafts   let the drafts say what the"
        of = f"{len(edited):,} of these rows" if len(edited) < len(rows) else "the rows"
        yield f"                                           workbook says now ({of})"
    if not is_one:
        yield "One decision about many: kawe resolve --all --retry --reason WORDS"


def _lines(row: HeldRow, *, why: str) -> Iterator[str]:
    entry, marker = row.entry, one_line(row.entry.marker)
    where = (
        "no longer in the workbook" if row.where is None else one_line(f"{row.where}")
    )
    yield f"{marker} ({one_line(entry.content.name)}), {where} of batch {entry.batch}"
    if why:
        yield f"  Why it is held: {one_line(why, limit=500)}"
    yield f"  Since {moment_words(entry.moved_at)} (NZ time)"
    say = partial(attempt_words, is_gone=row.is_gone)
    for words, same in groupby(row.attempts, key=say):
        first, *again = same
        more = f" ({len(again) + 1:,} times)" if again else ""
        yield f"  {moment_words(first.intent.begun_at)}: {words}{more}"
    if not row.attempts:
        yield "  By this journal, kawe has asked for no draft and no send of it."
    if entry.project_id is not None:
        gone = ", which the service does not show any more" if row.is_gone else ""
        yield f"  Its project: {entry.project_id}{gone}"
    if row.there_before:
        yield f"  Projects that had its reference before: {', '.join(row.there_before)}"
    for words, project in row.there_now:
        yield f"  In the service: {one_line(words)}; its PROJECT-ID is {project}"
        if row.link:
            yield f"    {row.link.replace('{id}', project)}"


def _document(row: HeldRow) -> dict[str, Any]:
    entry = row.entry
    return {
        "reference": entry.marker,
        "name": entry.content.name,
        "batch": entry.batch,
        "sheet": None if row.where is None else row.where.sheet,
        "row": None if row.where is None else row.where.row,
        "why": row.why,
        "choices": ["adopt", "retry", "abandon"] + ["update-drafts"] * row.may_update,
        "since": entry.moved_at.isoformat(),
        "project_id": entry.project_id,
        "there_before": list(row.there_before),
        "in_the_service": [
            {
                "project_id": project,
                "words": words,
                "link": row.link.replace("{id}", project),
            }
            for words, project in row.there_now
        ],
        "attempts": [
            {
                "step": each.intent.step.value,
                "begun_at": each.intent.begun_at.isoformat(),
                "ended_at": None
                if each.ended_at is None
                else each.ended_at.isoformat(),
                "verdict": each.verdict,
                "http_status": each.http_status,
                "detail": each.detail,
                "words": attempt_words(each, is_gone=row.is_gone),
            }
            for each in row.attempts
        ],
    }
