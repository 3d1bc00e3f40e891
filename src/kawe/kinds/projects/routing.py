"""Which iwi each row goes to: one question for each distinct place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kawe.domain.service.places import IwiAnswer, IwiChoice, Place
from kawe.domain.sheet.content import ProjectContent, ProjectSaid
from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.sheet.tables import TableRow
from kawe.domain.text.texts import fold
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.marking import mark
from kawe.flows.routing import Asker
from kawe.flows.workers import each

_ALL = frozenset({"all", "katoa"})


async def route(
    rows: Sequence[CheckedRow], *, asker: Asker, skip: Sequence[CheckedRow] = ()
) -> tuple[CheckedRow, ...]:
    """Ask about each distinct place, then settle each row's iwi.

    `skip` are rows that are finished: nothing is asked for their sake.

    Raises:
        ServiceError: A place could not be asked about.
        JournalError: An answer could not be kept.
    """
    done = {row.row.ref for row in skip}
    wanted = {
        row.project.place.key(): row.project.place
        for row in rows
        if row.project is not None
        and row.project.place is not None
        and row.row.ref not in done
    }
    cache = asker.cache
    answers = {} if cache is None else await cache.known(wanted)
    wanted = {key: place for key, place in wanted.items() if key not in answers}

    async def ask(place: Place) -> None:
        answer = await asker.lookups.iwi_at(place)
        answers[place.key()] = answer
        if cache is not None:
            await cache.keep(place, answer)
        asker.progress.advance()

    if wanted:
        asker.progress.begin(
            "Asking which iwi each place belongs to", total=len(wanted)
        )
        await each(wanted.values(), ask, workers=asker.workers, stop=asker.stop)
    return tuple(row if row.row.ref in done else _settled(row, answers) for row in rows)


def _settled(
    checked: CheckedRow, answers: Mapping[tuple[float, float], IwiAnswer]
) -> CheckedRow:
    said, content = checked.project, checked.content
    if said is None or said.place is None:
        return checked
    answer = answers.get(said.place.key())
    if answer is None:
        return checked
    slugs, findings = _choose(checked.row, said, answer)
    if isinstance(content, ProjectContent):
        content = replace(content, iwi=slugs)
    return replace(
        checked,
        content=content,
        findings=(*checked.findings, *findings),
        goes_to=tuple(
            each
            for each in answer.choices
            if each.slug in slugs or not answer.can_select
        ),
    )


def _choose(
    row: TableRow, said: ProjectSaid, answer: IwiAnswer
) -> tuple[tuple[str, ...], list[Finding]]:
    if not answer.choices:
        return (), [_nobody(row, said)]
    if not answer.can_select:
        return (), _ignored(row, said, answer)
    if not said.iwi:
        is_unclear = "iwi" in said.unclear
        return (), [] if is_unclear else [_choice_needed(row, said, answer)]
    by_word = {fold(each.slug): each.slug for each in answer.choices}
    by_word |= {fold(each.name): each.slug for each in answer.choices}
    if any(fold(word) in _ALL for word in said.iwi):
        return tuple(each.slug for each in answer.choices), []
    unknown = [word for word in said.iwi if fold(word) not in by_word]
    if unknown:
        return (), [_unknown(row, unknown, answer)]
    return tuple(dict.fromkeys(by_word[fold(word)] for word in said.iwi)), []


def _for_a_send(said: ProjectSaid) -> Severity:
    """Give how much it matters that nobody could be asked."""
    may_go = said.send or "send" in said.unclear
    return Severity.ERROR if may_go else Severity.WARNING


def _nobody(row: TableRow, said: ProjectSaid) -> Finding:
    return mark(
        row,
        "latitude" if "latitude" in row.cells else "easting",
        severity=_for_a_send(said),
        rule="place-without-iwi",
        words=(
            "The service knows no iwi for this place.",
            "Check the coordinates: they may lie at sea or be swapped.",
        ),
    )


def _ignored(row: TableRow, said: ProjectSaid, answer: IwiAnswer) -> list[Finding]:
    named = {fold(word) for word in said.iwi}
    routed = {fold(word) for each in answer.choices for word in (each.slug, each.name)}
    if not named or named <= routed | _ALL:
        return []
    return [
        mark(
            row,
            "iwi",
            severity=Severity.WARNING,
            rule="iwi-ignored",
            words=(
                (
                    "The service routes this place by itself and ignores the iwi named "
                    f"here: it goes to {_names(answer.choices)}."
                ),
                "Clear the cell, or check the coordinates.",
            ),
        )
    ]


def _choice_needed(row: TableRow, said: ProjectSaid, answer: IwiAnswer) -> Finding:
    return mark(
        row,
        "iwi",
        severity=_for_a_send(said),
        rule="iwi-needed",
        words=(
            f"Several iwi can be asked for this place: {_names(answer.choices)}.",
            "Name one or more of them with ; between, or write all.",
        ),
    )


def _unknown(row: TableRow, words: list[str], answer: IwiAnswer) -> Finding:
    return mark(
        row,
        "iwi",
        severity=Severity.ERROR,
        rule="iwi-unknown",
        words=(
            f"{'; '.join(words)} cannot be asked for this place.",
            f"Choose from {_names(answer.choices)}, or write all.",
        ),
    )


def _names(choices: Sequence[IwiChoice]) -> str:
    return "; ".join(each.name for each in choices)
