"""How the columns of a sheet are read, changed and kept: for every face the same."""

from collections.abc import Mapping
from dataclasses import replace

from kawe.cases.kinds import KINDS
from kawe.cases.kit import Toolkit
from kawe.domain.batch.readings import Reading
from kawe.domain.sheet.columns import Column, SheetKind, column_named
from kawe.domain.sheet.tables import HeadingRule, KeptReading, ReadAs
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import fold, one_line
from kawe.errors import SettingsError
from kawe.schemas.catalog import load_columns
from kawe.settings.headings import keep_columns
from kawe.workbook.reading.alike import RapidfuzzSuggester, names_of

NOT_READ = "not read"
fields_of = load_columns


def keep_reading(
    toolkit: Toolkit,
    read_as: ReadAs,
    *,
    kind: SheetKind,
    workbook: str,
    takes_guesses: bool = True,
) -> Toolkit:
    """Keep how a person wants sheets with these headings read; give who reads so.

    Without `takes_guesses`, only what the person said of single columns.
    """
    said = KeptReading(
        kind=kind,
        fields=read_as.kept_fields(takes_guesses=takes_guesses),
        workbook=workbook,
        kept_on=toolkit.today,
        addresses=read_as.addresses,
    )
    keep_columns(read_as.shape, said)
    return toolkit.afresh()


def keep_addresses(
    toolkit: Toolkit, reading: Reading, taken: Mapping[str, str]
) -> Toolkit:
    """Keep which addresses are others of the table of places; give who reads so."""
    head = toolkit.head(reading)
    return keep_reading(
        toolkit,
        replace(head.read_as, addresses={**head.read_as.addresses, **taken}),
        kind=head.kind,
        workbook=reading.workbook.name,
        takes_guesses=False,
    )


def said_of(read_as: ReadAs, words: str, *, kind: SheetKind) -> ReadAs:
    """Take a person's word `HEADING=COLUMN`; without a column it is not read.

    Raises:
        SettingsError: There is no such heading, or no such column.
    """
    heading, _, meant = words.rpartition("=")
    wanted, every = fold(heading), read_as.every
    found = [e for e in every if fold(e.text) == wanted or e.key == heading]
    if len(found) != 1:
        shown = [each.text for each in every if each.text]
        raise SettingsError(
            message=f"The sheet has no column “{one_line(heading, limit=60)}”, or more "
            "than one.",
            hint=f"Write HEADING=COLUMN; its headings are {', '.join(shown)}. Nothing "
            "was kept.",
        )
    means = field_named(meant, kind=kind) if fold(meant) else None
    return read_as.with_word(found[0].column, means)


def field_named(words: str, *, kind: SheetKind) -> Column:
    """Give the column of a kind that a person names.

    Raises:
        SettingsError: There is none.
    """
    columns = load_columns(kind)
    if (found := column_named(words, columns)) is not None:
        return found
    titles = [column.title for column in columns]
    near = RapidfuzzSuggester().misspelt(words, among=titles)
    guess = f"Did you mean {' or '.join(near)}? " if near else ""
    raise SettingsError(
        message=f"There is no column “{one_line(words, limit=60)}” in a list of "
        f"{kind}.",
        hint=f"{guess}Its columns are {', '.join(titles)}. Nothing was kept.",
    )


def kind_with(words: str, *, kind: SheetKind | None) -> tuple[SheetKind, Column]:
    """Give the kind of sheet that has a column of this name, and the column.

    Raises:
        SettingsError: None has, or several have and `kind` does not say which.
    """
    usual = [each for each in KINDS if not each.needs_its_name]
    able = [each for each in usual if column_named(words, load_columns(each))]
    if kind is None and len(able) > 1:
        raise SettingsError(
            message=f"Lists of {' and of '.join(able)} have a column "
            f"“{one_line(words, limit=60)}”.",
            hint=f"Say which: {Given.KIND(able[0])}. Nothing was kept.",
        )
    one = kind or next(iter(able), KINDS[0])
    return one, field_named(words, kind=one)


def known_already(kind: SheetKind, heading: str) -> Column | None:
    """Give the column that kawe reads a heading as by itself."""
    folded = fold(heading)
    return next((e for e in load_columns(kind) if folded in names_of(e)), None)


def kept_words(said: KeptReading) -> tuple[str, list[str]]:
    """Say of which sheets something is kept, and what of each heading."""
    of = f"sheets like {one_line(said.workbook)}, a list of {said.kind}"
    return f"{of} (said on {said.kept_on:%d/%m/%Y})", [
        f"“{one_line(key, limit=60)}” → {title_of(said.kind, field)}"
        for key, field in said.fields.items()
    ] + [
        f"Address “{one_line(each, limit=60)}” → “{one_line(there, limit=60)}”"
        for each, there in said.addresses.items()
    ]


def rule_words(rule: HeadingRule) -> str:
    """Say what a heading means in every list of a kind, and whose word it is."""
    kind, known = rule.kind, known_already(rule.kind, rule.heading)
    idle = f"; but kawe reads it as {known.title}" if known else ""
    heading, title = one_line(rule.heading, limit=60), title_of(kind, rule.field)
    return f"Every list of {kind}: “{heading}” → {title} ({rule.by}{idle})"


def title_of(kind: SheetKind, field: str | None) -> str:
    """Give the title of a column, for a sentence."""
    titles = (each.title for each in load_columns(kind) if each.field == field)
    return next(titles, NOT_READ)
