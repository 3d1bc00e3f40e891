"""The sentences of the commands, said for people who use the pages.

Flows advise in the words of the command line: which command comes next, and with which
option. At the desk the next step is a page or a button.
"""

from __future__ import annotations

import re
from typing import Final

_HELD: Final = "the page “Held rows”"
_QUEUE: Final = "the page “Waiting for tokens”"
_PHRASES: Final = (
    (
        r"See kawe held, look in the portal, then decide with kawe resolve\.",
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
        r"Without its workbook, submit the result that kawe report \S+ writes\.",
        "Without its workbook, write the result of its batch again, and put that in.",
    ),
    (r"[Rr]un the same command again", "Submit the workbook again"),
    (r"See kawe held, and name the project with --adopt\.", "Name the project."),
    (r"kawe held lists the rows", f"{_HELD} lists the rows".removeprefix("the ")),
    (r"(?:run|:) kawe (?:release|deferred)\b", f"go to {_QUEUE}"),
    (r"kawe release --approved-by NAME", "write who it is into the form"),
    (
        r"[Ss]ubmit with --update-drafts to change the draft too",
        "Let the draft say what the workbook says (tick that when you plan)",
    ),
    (r"submit with --accept alike", "accept rows that look alike when you plan"),
    (r"choose --retry or --abandon", "choose “Ask again” or “Give the row up”"),
    (r"--adopt would send", "“It is this project” would send"),
    (r"give the row up with --abandon", "choose “Give the row up”"),
    (r"Submit a workbook first: kawe submit WORKBOOK", "Submit a workbook first."),
    (r"and run the same command again", "and try again"),
    (r"--yes \d+ agrees to (\d+) at most", r"\1 were agreed to"),
)
_COMPILED: Final = tuple((re.compile(each), said) for each, said in _PHRASES)


def for_the_desk(text: str) -> str:
    """Say a sentence of the flows in the words of the pages."""
    for phrase, said in _COMPILED:
        text = phrase.sub(said, text)
    return text
