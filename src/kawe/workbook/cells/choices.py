"""Cells with one of a few answers: choices, and yes or no."""

import re
from typing import Final

from rapidfuzz import fuzz, process

from kawe.domain.sheet.columns import Column
from kawe.domain.text.texts import CROSSES, DOUBT, TICKS, either, fold
from kawe.workbook.cells.reading import CellReader, CellReading, quoted, refused, show
from kawe_xlsx.cells import RawValue

_ALIKE: Final = 70
_SUGGESTED: Final = 3
_FEW: Final = 18
YES_WORDS: Final = frozenset({"yes", "y", "true", "1", "ae", "on", *TICKS})
NO_WORDS: Final = frozenset(
    {"no", "n", "false", "0", "kao", "kahore", "kaore", "off", *CROSSES}
)


def choice_reader(column: Column) -> CellReader:
    """Make the reader of a column of choices.

    It accepts the service's name, the label and the aliases, folded. Similar words
    are only suggested: two types of consent can be one letter apart.
    """
    values = column.by_name()
    labels = {choice.value: choice.label for choice in column.choices}

    def read(raw: RawValue) -> CellReading:
        text = show(raw)
        if (value := values.get(fold(text))) is not None and not DOUBT.search(text):
            return CellReading(value=value)
        alike = [labels[each] for each in choices_like(text, values)]
        advice = (
            "Choose it from the list in the template, or write it as it stands there."
        )
        if alike:
            advice = f"Did you mean {either(alike)}?"
        elif len(labels) <= _FEW:
            advice = f"Choose one of: {either([*labels.values()])}."
        message = f"{quoted(text)} is not one of the choices for {column.title}."
        return refused("not-a-choice", message=message, advice=advice)

    return read


def read_yes_no(raw: RawValue) -> CellReading:
    """Read a cell of yes or no."""
    # Some ticks end with the mark of a picture.
    text = show(raw).rstrip("\ufe0f")
    word = text if DOUBT.search(text) else fold(text) or text
    if word in YES_WORDS:
        return CellReading(value=True)
    if word in NO_WORDS:
        return CellReading(value=False)
    return refused(
        "not-yes-or-no",
        message=f"{quoted(text)} is neither yes nor no.",
        advice="Write Yes or No, or leave the cell empty.",
    )


def choices_like(text: str, values: dict[str, str]) -> list[str]:
    """Give the values that a part of a text names, and those with similar names."""
    found = process.extract(
        fold(text), values.keys(), scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=10
    )
    parts = map(fold, re.split(r"[(:/,;&–—]| - |\d\. ", text))
    names = [*filter(values.__contains__, parts), *(name for name, _, _ in found)]
    return list(dict.fromkeys(values[name] for name in names))[:_SUGGESTED]
