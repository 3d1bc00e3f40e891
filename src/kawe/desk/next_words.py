"""What to do next as the pages say it: a page, a button, a box."""

import re
from typing import Final

from kawe.domain.batch.readings import READING_OPTIONS, ReadingChoices
from kawe.domain.text.next_steps import Given, Next, said

_TWICE: Final = re.compile(r"([Tt]he page (“[^”]+”)[^.]*) on the page \2")
"""A sentence that names one page twice."""
_HELD: Final = "the page “Held rows”"
_SETTINGS: Final = "write it on the page “Settings”."
_QUEUE: Final = "the page “Waiting for tokens”"
_PAGES: Final[dict[Next | Given, str]] = {
    Next.ADD_APPROVAL: "add the file that they give you on the page of the plan",
    Next.ADD_FILES: "write {} into “Folder of the attachments”",
    Next.APPROVE: "the first page of their desk takes the plan",
    Next.AUDIT: "“Write an audit” on the page “After the send”",
    Next.COLUMNS: "on the page of the workbook",
    Next.DROP: f"on {_QUEUE}",
    **dict.fromkeys((Next.GIVE_ADDRESS, Next.GIVE_KEY, Next.OWN_ADDRESS), _SETTINGS),
    Next.EXPORT: "“Write a list of all projects” on the page “After the send”",
    Next.EXPORT_RECEIPTS: "“Save the receipts” on the page “After the send”",
    Next.EXPORT_TEAM: "the page of the team in the portal",
    Next.GIVE_TEAM: "write the one that is meant into “Team” on the page “Settings”.",
    **dict.fromkeys((Next.CONFIG, Next.INIT), "the page “Settings”"),
    Next.OWN_PROFILE: "the page “Settings” of “kawe desk --profile {}”",
    **dict.fromkeys((Next.PLAN, Next.SAVE_PLAN), "the button of its page"),
    Next.STORE_FILE: "the command “kawe init --store file”",
    Next.RELEASE: f"a release on {_QUEUE}",
    Next.RESOLVE: f"on {_HELD}",
    Next.RESULT_OF: "the result that the page of its batch writes",
    Next.SERVE: "whoever gave you its address starts it",
    Next.SHOW_KEY: "their desk, once they have signed a plan there",
    **dict.fromkeys((Next.CHECK, Next.SUBMIT), "on its page"),
    Next.TEMPLATE: "“An empty workbook” on the first page",
    Next.WAITING: _HELD,
    Given.ACCEPT_ADDRESSES: "a tick under “Addresses that may be meant”",
    Given.ABANDON: "“Give the row up”",
    Given.ADOPT: "“It is this project”",
    Given.DRAFTS_ONLY: "“Make drafts only, send nothing”",
    Given.INCLUDE_STRUCK: "“Read them too”",
    Given.JOURNAL: "“journal”, when the desk is started",
    Given.KIND: "“What the rows are”: {}",
    Given.OPENING: "“Tokens without an invoice”",
    Given.PLACES: "“Table of addresses”",
    Given.RETRY: "“Ask again”",
    Given.SHEET: "“Sheet”",
    Given.SINCE: "“First day”",
    Given.SKIP_STRUCK: "“Leave them out”",
    Given.TABLE: "“Table”: {}",
    Given.UNTIL: "“Last day”",
    Given.UPDATE_DRAFTS: "“Let the draft say what the workbook says”",
}
BOXES: Final = {
    field: said
    for field, said in READING_OPTIONS.items()
    if getattr(ReadingChoices(), field, None) is False and field != "accepts_addresses"
}
"""The boxes of a workbook's page; addresses have a box each."""
_LABELS: Final = {
    each.called: f"“{each.label.partition(';')[0]}”" for each in BOXES.values()
}


def in_pages(text: str) -> str:
    return _TWICE.sub(r"\1 on that page", said(text, _page))


def page_words(value: Next | Given, about: tuple[str, ...]) -> str:
    """Name the page, button or box; empty: the desk has none."""
    words = _PAGES.get(value) or _LABELS.get(value.value, "")
    return words.format(*about, "").rstrip(": ")


def _page(value: Next | Given, about: tuple[str, ...]) -> str:
    if value is Next.AGAIN:
        return "do the same again"
    other = value.value if isinstance(value, Given) else f"kawe {value.value}"
    words = f"“{other}”" if isinstance(value, Given) else f"the command “{other}”"
    return page_words(value, about) or words
