"""Which iwi each row goes to: one question for each distinct place."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from kawe.domain.service.service_words import IwiAnswer, IwiChoice
from kawe.domain.service.states import RowKey
from kawe.domain.sheet.content import ProjectContent, ProjectSaid
from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.sheet.tables import TableRow
from kawe.domain.text.texts import BETWEEN_NAMES, fold, one_line, parts_of
from kawe.flows.checked_rows import CheckedRow, mark
from kawe.flows.routing import Asker
from kawe.ports import Suggester
from kawe_places.values import Place

_ALL = frozenset({"all", "katoa"})
_OF_DRAFT = "Its draft in the service, which a person let go, has another place."


async def route(
    rows: Sequence[CheckedRow],
    *,
    asker: Asker,
    skip: Sequence[CheckedRow] = (),
    suggester: Suggester | None = None,
    drafts: Mapping[RowKey, ProjectContent] = MappingProxyType({}),
) -> tuple[CheckedRow, ...]:
    """Ask about each distinct place, then settle each row's iwi.

    `skip` are rows that are finished: nothing is asked for their sake. Without a
    `suggester`, no near names are given. A row of `drafts` goes where its draft is.

    Raises as `Asker.iwi_at`.
    """
    done = {row.row.ref for row in skip}
    places = {row.row.ref: _place(row, drafts) for row in rows}
    wanted = [e for ref, e in places.items() if e is not None and ref not in done]
    answers = await asker.iwi_at(wanted)
    return tuple(
        row
        if (place := places[row.row.ref]) is None
        or row.row.ref in done
        or (answer := answers.get(place.key())) is None
        else _settled(row, answer, place=place, suggester=suggester)
        for row in rows
    )


def _place(row: CheckedRow, drafts: Mapping[RowKey, ProjectContent]) -> Place | None:
    said = (drafts.get(row.key) if row.key else None) or row.project
    return None if said is None else said.place


def _settled(
    checked: CheckedRow, answer: IwiAnswer, *, place: Place, suggester: Suggester | None
) -> CheckedRow:
    said, content = checked.project, checked.content
    if said is None:
        return checked
    slugs, findings = _choose(checked.row, said, answer, suggester=suggester)
    if place != said.place:
        findings = [replace(f, message=f"{_OF_DRAFT} {f.message}") for f in findings]
    if isinstance(content, ProjectContent) and content.iwi != slugs:
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
    row: TableRow, said: ProjectSaid, answer: IwiAnswer, *, suggester: Suggester | None
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
    parts = _parts(said, known=by_word.keys() | _ALL)
    if unknown := [word for word, is_known in parts if not is_known]:
        return (), [_unknown(row, unknown, answer, suggester=suggester)]
    words = [fold(word) for word, _ in parts]
    if not _ALL.isdisjoint(words):
        return tuple(each.slug for each in answer.choices), []
    listed = [_as_list(row, parts)] if len(parts) > len(said.iwi) else []
    return tuple(dict.fromkeys(by_word[word] for word in words)), listed


def _parts(said: ProjectSaid, *, known: Collection[str]) -> list[tuple[str, bool]]:
    return [
        part
        for word in said.iwi
        for part in parts_of(
            word, between=BETWEEN_NAMES, is_known=lambda text: fold(text) in known
        )
    ]


def _as_list(row: TableRow, parts: Sequence[tuple[str, bool]]) -> Finding:
    names = list(dict.fromkeys(one_line(name, limit=80) for name, _ in parts))
    return mark(
        row,
        "iwi",
        Severity.NOTE,
        rule="iwi-listed",
        message=f"The cell is read as {len(names)} iwi: {'; '.join(names)}.",
    )


def _for_a_send(said: ProjectSaid) -> Severity:
    """Give how much it matters that nobody could be asked."""
    may_go = said.send or "send" in said.unclear
    return Severity.ERROR if may_go else Severity.WARNING


def _nobody(row: TableRow, said: ProjectSaid) -> Finding:
    return mark(
        row,
        "latitude" if "latitude" in row.cells else "easting",
        _for_a_send(said),
        rule="place-without-iwi",
        message="The service knows no iwi for this place.",
        advice="Check the coordinates: they may lie at sea or be swapped.",
    )


def _ignored(row: TableRow, said: ProjectSaid, answer: IwiAnswer) -> list[Finding]:
    routed = {fold(word) for each in answer.choices for word in (each.slug, each.name)}
    if all(is_known for _, is_known in _parts(said, known=routed | _ALL)):
        return []
    return [
        mark(
            row,
            "iwi",
            Severity.WARNING,
            rule="iwi-ignored",
            message="The service routes this place by itself and ignores the iwi named "
            f"here: it goes to {_names(answer.choices)}.",
            advice="Clear the cell, or check the coordinates.",
        )
    ]


def _choice_needed(row: TableRow, said: ProjectSaid, answer: IwiAnswer) -> Finding:
    return mark(
        row,
        "iwi",
        _for_a_send(said),
        rule="iwi-needed",
        message=f"Several iwi can be asked for this place: {_names(answer.choices)}.",
        advice="Name one or more of them with ; between, or write all.",
    )


def _unknown(
    row: TableRow,
    words: Sequence[str],
    answer: IwiAnswer,
    *,
    suggester: Suggester | None,
) -> Finding:
    names = {fold(each.name): each.name for each in answer.choices}
    near = dict.fromkeys(
        f"“{one_line(names[each])}”"
        for word in words
        if suggester is not None
        for each in suggester.misspelt(fold(word), among=[*names])[:1]
    )
    meant = f"Did you mean {' or '.join(near)}? Else choose" if near else "Choose"
    return mark(
        row,
        "iwi",
        rule="iwi-unknown",
        message=f"{'; '.join(map(one_line, words))} cannot be asked for this place.",
        advice=f"{meant} from {_names(answer.choices)}, with ; between, or write all.",
    )


def _names(choices: Sequence[IwiChoice]) -> str:
    return "; ".join(each.name for each in choices)
