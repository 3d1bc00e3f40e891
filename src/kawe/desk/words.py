"""The sentences of the commands, said for people who use the pages.

Flows advise in the words of the command line: which command comes next, and with which
option. At the desk the next step is a page or a button.
"""

from __future__ import annotations

import re
from typing import Final

from kawe.domain.batch.saved_plans import (
    READING_OPTIONS,
    ReadingChoices,
)

_HELD: Final = "the page “Held rows”"
_QUEUE: Final = "the page “Waiting for tokens”"
_PHRASES: tuple[tuple[str, str], ...] = (
    (
        r"See kawe waiting, look in the portal, then decide with kawe resolve\.",
        f"Look in the portal, then decide on {_HELD}.",
    ),
    (
        r"Buy tokens in the portal, then run kawe release\.",
        f"Buy tokens in the portal, then release the row on {_QUEUE}.",
    ),
    (
        r"kawe release \S+ does the same without its workbook\.",
        f"A release on {_QUEUE} does the same without its workbook.",
    ),
    (
        r"Without its workbook, submit the result of kawe status \S+ --write\.",
        "Without its workbook, write the result of its batch again, and put that in.",
    ),
    (r"[Rr]un the same command again", "Submit the workbook again"),
    (r"See kawe waiting, and name the project with --adopt\.", "Name the project."),
    (r"kawe waiting lists the rows", f"{_HELD} lists the rows".removeprefix("the ")),
    (r"(?:run|:) kawe (?:release|waiting)\b", f"go to {_QUEUE}"),
    (
        r"[Ss]ubmit with --update-drafts to change the draft too",
        "Let the draft say what the workbook says (tick that when you plan)",
    ),
    (r"submit with --accept (repeats|references)", r"accept \1 when you plan"),
    (r"choose --retry or --abandon", "choose “Ask again” or “Give the row up”"),
    (r"--adopt would send", "“It is this project” would send"),
    (r"give the row up with --abandon", "choose “Give the row up”"),
    (r"Submit a workbook first: kawe submit WORKBOOK", "Submit a workbook first."),
    (r"and run the same command again", "and try again"),
    (r"submit the workbook without --drafts-only", "plan without “drafts only”"),
    (
        r"(?:[Nn]ame one|[Nn]ame another sheet|[Nn]ame the sheet) with --sheet",
        "choose the sheet",
    ),
    (r"Read it with --table (\S+), in a run of its own\.", r"Put \1 into “Table”."),
    (r"Name one with --table \S+\.", "Give one of them, or leave “Table” empty."),
    (r"--places: ", "Table of addresses: "),
    (r"coordinates: --places FILE\.", "coordinates below."),
    (r"; kawe check, plan and submit .*--all-sheets.*", "."),
    (r"Say which with --kind .*?,", "Say at “What the rows are” which,"),
    (
        r"Add --files (.+) to the command\.",
        r"Write \1 into “Folder of the attachments”.",
    ),
    (
        r"Run again with --skip-struck .*--include-struck to take them too\.",
        "Say at “Rows that are struck through” whether they are read.",
    ),
    (r"--yes \d+ agrees to (\d+) at most", r"\1 were agreed to"),
)
OPTIONS: Final = tuple(
    (
        field,
        f"--{'accept ' * said.is_accepted}{said.name}",
        said.label,
    )
    for field, said in READING_OPTIONS.items()
    if getattr(ReadingChoices(), field, None) is False
)
"""The boxes of a workbook's page: field, option of the commands, label."""
_AGAIN: Final = r"(?:[Rr]un(?: the command)? again|[Ss]ubmit(?: the workbook)?) with "
_PHRASES += tuple(
    (f"{before}{option}(?![a-z-])", f"{tick}“{label.partition(';')[0]}”{then}")
    for before, tick, then in ((_AGAIN, "tick ", " and check again"), ("", "", ""))
    for _, option, label in OPTIONS
)
_COMPILED: Final = tuple((re.compile(each), said) for each, said in _PHRASES)


def for_the_desk(text: str) -> str:
    """Say a sentence of the flows in the words of the pages."""
    for phrase, said in _COMPILED:
        text = phrase.sub(said, text)
    return text
