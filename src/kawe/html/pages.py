"""Pages of HTML. That beside a result: what was done, what waits, where, and every row.

Rows are added once, in their order. A page has at most `MOST_ROWS` of them, first those
that somebody has to do something about: more would be slow to filter.

The page of several batches over a period has a plot, the months, iwi and batches.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from kawe.domain.batch import explaining
from kawe.domain.batch.outcomes import NEEDS_PERSON, BatchReport, Outcome, RowReport
from kawe.domain.batch.periods import PeriodReport
from kawe.domain.batch.sending import iwi_words
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.findings import FindingGroup, Problems, Severity
from kawe.domain.text.new_zealand import day_in_new_zealand, short_day_words
from kawe.domain.text.texts import counted, one_line
from kawe.html.coastline import CHATHAMS, MAINLAND, coast_path, position
from kawe.html.rendering import origin_of, render
from kawe_contract.enums import InvitationStatus

MOST_ROWS: Final = 4_000
_MOST_PROBLEMS: Final = 200
_MOST_IWI: Final = 15
_MOST_IWI_OF_MONTHS: Final = 30
_LONG: Final = 16
"""A longer reference, such as an e-mail address, needs a wide column."""
_ENDS: Final[Mapping[str, str]] = {
    InvitationStatus.PENDING: "until",
    InvitationStatus.EXPIRED: "on",
    InvitationStatus.ACCEPTED: "",
}
_TO_DO: Final = NEEDS_PERSON | {Outcome.INVALID, Outcome.UNFINISHED}
_SEVERITIES: Final = {
    Severity.ERROR: ("wrong", "Must be corrected"),
    Severity.WARNING: ("wait", "Please look"),
    Severity.NOTE: ("rest", "For your information"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """One row of the page."""

    at: int
    row: RowReport
    reference: str
    name: str
    look: "OutcomeLook"
    link: str
    iwi: str
    position: tuple[int, int] | None

    @property
    def is_to_do(self) -> bool:
        return self.row.outcome in _TO_DO

    @property
    def says(self) -> str:
        """Name the row and its outcome, for its mark on the map."""
        named = " ".join(filter(None, (self.reference, self.name)))
        known = f"{named} (row {self.row.where.row})" if named else f"{self.row.where}"
        return f"{known}: {self.row.outcome.value}"

    @property
    def when(self) -> str:
        """Say by when iwi are to respond, if somebody has to act; else since when."""
        row = self.row
        if self.is_to_do and row.respond_by_on:
            return f"Respond by {short_day_words(row.respond_by_on)}"
        at = row.at
        return "" if at is None else short_day_words(day_in_new_zealand(at))

    @property
    def invitation(self) -> str:
        """Say how the person's invitation stands, and the day on which it ends."""
        if (said := self.row.invitation) is None:
            return ""
        status = one_line(said.status.capitalize(), limit=40)
        ends = _ENDS.get(said.status, "")
        if said.expires_at is None or not ends:
            return status
        return f"{status} {ends} {short_day_words(day_in_new_zealand(said.expires_at))}"


class ResultPage:
    """The page of one report; `origins` are the addresses that it may link to."""

    def __init__(self, report: BatchReport, *, origins: Iterable[str]) -> None:
        self._report = report
        self._origins = frozenset(map(origin_of, origins)) - {""}
        self._to_do: list[_Shown] = []
        self._others: list[_Shown] = []
        self._rows = 0

    def add(self, row: RowReport, *, reference: str, name: str) -> None:
        """Add the next row, with what people know it by."""
        self._rows += 1
        kept = self._to_do if row.outcome in _TO_DO else self._others
        if len(kept) == MOST_ROWS:
            return
        link = row.link or ""
        shown = _Shown(
            at=self._rows,
            row=row,
            reference=reference,
            name=name,
            look=LOOKS[row.outcome],
            link=link if origin_of(link) in self._origins else "",
            iwi=iwi_words(row.iwi, shown=4),
            position=None if row.place is None else position(row.place),
        )
        kept.append(shown)

    def finish(self, counts: Counter[Outcome], problems: Problems) -> str:
        """Give the page as HTML."""
        report = self._report
        kept = [*self._to_do, *self._others][:MOST_ROWS]
        rows = sorted(kept, key=lambda each: each.at)
        placed = [each for each in rows if each.position]
        # What needs somebody is drawn last, so that nothing hides it.
        placed.sort(key=lambda each: each.is_to_do)
        listed = problems[:_MOST_PROBLEMS]
        explained = list(explaining.explained_counts(report, counts))
        stands = [(LOOKS[outcome], n, each) for outcome, n, each in explained]
        return render(
            "result.html",
            report=report,
            headline=_headline(report, counts),
            facts=_facts(report),
            stands=stands,
            shares=shares([(look.tone, n) for look, n, _ in stands]),
            shares_say=_counts_words(counts),
            total=counts.total(),
            too_late=explaining.TOO_LATE,
            notes=list(_notes(report)),
            iwi=_iwi_bars(rows, report),
            severities=_SEVERITIES,
            where=_where,
            problems=[e for e in listed if e.severity is not Severity.NOTE],
            for_information=[e for e in listed if e.severity is Severity.NOTE],
            more_problems=max(len(problems) - _MOST_PROBLEMS, 0),
            rows=rows,
            rows_read=self._rows,
            placed=placed,
            coast=coast_path() if placed else "",
            frames=(MAINLAND, CHATHAMS),
            has={
                "long_reference": any(len(each.reference) > _LONG for each in rows),
                "what_to_do": any(each.row.what_to_do for each in rows),
                "iwi": any(each.iwi for each in rows),
                "invitation": any(each.invitation for each in rows),
                "when": any(each.when for each in rows),
                "receipt": any(each.row.receipt_number for each in rows),
            },
            marker=SheetKind.named(report.kind).marker,
        )


def _headline(report: BatchReport, counts: Counter[Outcome]) -> str:
    """Say in one sentence whether anything is left to do."""
    parts = (
        (Outcome.INVALID, "to correct"),
        (Outcome.DEFERRED, "waiting for tokens"),
        (Outcome.HELD, "to decide about"),
        (Outcome.NOT_AS_ASKED, "not as asked"),
        (Outcome.IN_DOUBT, "in doubt"),
        (Outcome.UNFINISHED, "not finished"),
    )
    left = [f"{counts[each]:,} {said}" for each, said in parts if counts[each]]
    total = counted(counts.total(), "row")
    if left:
        return f"Of {total}: {', '.join(left)}."
    if not report.batch:
        return f"{total} checked, and nothing must be corrected. Nothing has been sent."
    return f"{total}, and nothing is left to do."


def _facts(report: BatchReport) -> Sequence[tuple[str, str]]:
    return (
        ("Sheet", report.sheet),
        ("Batch", report.batch),
        ("Team", report.team),
        ("Who answers", report.owner),
        ("Run", report.run),
    )


def _notes(report: BatchReport) -> Iterator[str]:
    yield from filter(
        None, (" ".join(explaining.token_sentences(report)), *report.notes)
    )
    if len(report.iwi_load.shares) > _MOST_IWI:
        yield report.iwi_load.words()
    if report.batch and report.mode == "sandbox":
        yield explaining.mode_words(report.mode)


def _counts_words(counts: Counter[Outcome]) -> str:
    """Say what the bar shows, for people who do not see it."""
    said = (f"{n:,} {outcome.value}" for outcome, n in counts.items() if n)
    return f"{counted(counts.total(), 'row')}: {', '.join(said)}"


def _iwi_bars(rows: Iterable[_Shown], report: BatchReport) -> "Sequence[LabelledBar]":
    """Count the projects by iwi: of the run, or of the rows that are shown."""
    counts = Counter({each.name: each.projects for each in report.iwi_load.shares})
    if not counts:
        counts.update(name for each in rows for name in each.row.iwi)
    return bars([(one_line(name), n) for name, n in counts.most_common(_MOST_IWI)])


def _where(group: FindingGroup) -> str:
    one = len(group.rows) == 1
    return f"{group.first.where}" if one else group.rows_words.capitalize()


_LABELS: Final = 12


def months_page(report: PeriodReport) -> str:
    """Give the page as HTML."""
    counts = report.counts
    outcomes = [each for each in explaining.OUTCOMES if counts[each]]
    sent = counted(counts[Outcome.SENT], "project was", "projects were")
    total = report.total
    return render(
        "months.html",
        report=report,
        since=report.period.since_on,
        until=report.period.until_on,
        headline=f"{sent} sent, and {total.tokens_words} used.",
        looks={each: LOOKS[each] for each in outcomes},
        months=[
            replace(each, label=_month_words(each.label)) for each in report.months
        ],
        total=total,
        columns=plot(_plotted(report, outcomes)),
        wide=_PLOT_WIDE,
        base=_BASE,
        iwi=bars([(one_line(name), n) for name, n in report.iwi[:_MOST_IWI_OF_MONTHS]]),
        more_iwi=max(len(report.iwi) - _MOST_IWI_OF_MONTHS, 0),
    )


def _plotted(
    report: PeriodReport, outcomes: Sequence[Outcome]
) -> Sequence[tuple[str, Sequence[tuple[str, int]]]]:
    """Give the plot's months; of very many, only some are named."""
    apart = len(report.months) // _LABELS + 1
    return [
        (
            _month_words(month.label, short=True) if at % apart == 0 else "",
            [(LOOKS[each].tone, month.counts[each]) for each in outcomes],
        )
        for at, month in enumerate(report.months)
    ]


def _month_words(label: str, *, short: bool = False) -> str:
    first = date.fromisoformat(f"{label}-01")
    return f"{first:%b %Y}" if short else f"{first:%B %Y}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeLook:
    """The mark of an outcome; its path lies around 0 and is 16 units wide."""

    word: str
    tone: str
    """The class of its colour in the style sheet."""
    path: str
    way: str = "solid"
    """solid or hollow."""

    @property
    def slug(self) -> str:
        return self.word.lower().replace(" ", "-")


_CIRCLE: Final = "M-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0z"
_SQUARE: Final = "M-6-6h12v12h-12z"
_TRIANGLE: Final = "M0-8 8 6.5h-16z"
_CROSS: Final = "M-7-4-4-7 0-3 4-7 7-4 3 0 7 4 4 7 0 3-4 7-7 4-3 0z"
_PLUS: Final = "M-2.2-7.5h4.4v5.3h5.3v4.4h-5.3v5.3h-4.4v-5.3h-5.3v-4.4h5.3z"

_SHAPES: Final = {
    Outcome.SENT: ("done", _CIRCLE, "solid"),
    Outcome.INVITED: ("done", _CIRCLE, "solid"),
    Outcome.RESENT: ("done", "M-7-4 0-8 7-4 7 4 0 8-7 4z", "solid"),
    Outcome.DONE: ("done", _CIRCLE, "solid"),
    Outcome.ALREADY_THERE: ("done", _PLUS, "solid"),
    Outcome.NOT_AS_ASKED: ("decide", _PLUS, "hollow"),
    Outcome.READY: ("done", _CIRCLE, "hollow"),
    Outcome.DRAFTED: ("draft", _SQUARE, "solid"),
    Outcome.INVALID: ("wrong", _CROSS, "solid"),
    Outcome.DEFERRED: ("wait", _TRIANGLE, "solid"),
    Outcome.HELD: ("decide", "M0-8.5 8.5 0 0 8.5-8.5 0z", "solid"),
    Outcome.IN_DOUBT: ("decide", "M0 8-8-6.5h16z", "solid"),
    Outcome.UNFINISHED: ("rest", _SQUARE, "hollow"),
    Outcome.WITHDRAWN: ("rest", "M-7.5-2.5h15v5h-15z", "solid"),
    Outcome.ABANDONED: ("rest", _CROSS, "solid"),
}

LOOKS: Final = {
    outcome: OutcomeLook(word=outcome.value.capitalize(), tone=tone, path=path, way=way)
    for outcome, (tone, path, way) in _SHAPES.items()
}


_WHOLE: Final = 1_000
_PLOT_WIDE: Final = 1_120
_BASE: Final = 205
_TOP: Final = 22


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledBar:
    """A bar beside its number; the longest is 100 units."""

    label: str
    value: int
    width: int


def shares(parts: Iterable[tuple[str, int]]) -> Sequence[tuple[str, int, int]]:
    """Divide a bar of 1,000 units among `parts`: colour, start and width of each."""
    listed = [(tone, count) for tone, count in parts if count > 0]
    total, so_far, made = sum(count for _, count in listed), 0, []
    for tone, count in listed:
        start = _WHOLE * so_far // total
        so_far += count
        width = _WHOLE * so_far // total - start
        made.append((tone, start, width))
    return made


def bars(values: Sequence[tuple[str, int]]) -> Sequence[LabelledBar]:
    """Make bars; a number that is not 0 is always seen."""
    most = max((value for _, value in values), default=0)
    return [
        LabelledBar(
            label=label,
            value=value,
            width=max(round(100 * value / most), 1) if value else 0,
        )
        for label, value in values
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotColumn:
    """One month of a plot."""

    label: str
    x: int
    width: int
    middle: int
    stack: Sequence[tuple[str, int, int]]
    """Colour, top and height of its parts."""
    total: int
    top: int


def plot(
    months: Sequence[tuple[str, Sequence[tuple[str, int]]]],
) -> Sequence[PlotColumn]:
    """Stack the numbers of each month: (label, ((colour, number), …)), lowest first."""
    totals = [sum(count for _, count in parts) for _, parts in months]
    most = max(totals, default=0) or 1
    room = _PLOT_WIDE // max(len(months), 1)
    width = min(room * 2 // 3, 60)
    columns = []
    for at, (label, parts) in enumerate(months):
        stack = list(_stacked(parts, most=most))
        middle = room * at + room // 2
        columns.append(
            PlotColumn(
                label=label,
                x=middle - width // 2,
                width=width,
                middle=middle,
                stack=stack,
                total=totals[at],
                top=min((y for _, y, _ in stack), default=_BASE),
            )
        )
    return columns


def _stacked(
    parts: Iterable[tuple[str, int]], *, most: int
) -> Iterator[tuple[str, int, int]]:
    y = _BASE
    for tone, count in parts:
        if count:
            height = max(round((_BASE - _TOP) * count / most), 1)
            y -= height
            yield tone, y, height
