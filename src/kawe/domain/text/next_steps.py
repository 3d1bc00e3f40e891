"""What a person does next, and what they give: values inside a sentence.

Below the faces no sentence names a command, an option or a page. It holds a `Next` or
a `Given` instead, as a mark that no person types (Unicode noncharacters), and the
face that shows the sentence says it in its own words.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Final, TypeAlias

Says: TypeAlias = Callable[[str], str]
"""Says a sentence in the words of one face; `str` leaves it as it is."""
Words: TypeAlias = Callable[["Next | Given", tuple[str, ...]], str]
"""Gives the words of one face for a value and what it is about."""

_BEGIN, _PART, _END = "\ufdd0", "\ufdd1", "\ufdd2"
_MARK: Final = re.compile(
    f"(?P<before>(?:^|[.!?] ))?{_BEGIN}(?P<body>[^{_BEGIN}{_END}]*)(?:{_END}|$)"
)


class _Value(Enum):
    """Prints as the mark of its value."""

    @property
    def mark_name(self) -> str:
        return f"{type(self).__name__} {self.value}".lower()

    def __str__(self) -> str:
        return self()

    def __call__(self, *about: object) -> str:
        """Give the mark; `about` are names of things, such as of a batch."""
        parts = (without_marks(str(each)) for each in about)
        return f"{_BEGIN}{_PART.join((self.mark_name, *parts))}{_END}"


class Next(_Value):
    """What a person does next."""

    ADD_APPROVAL = "add approval"
    ADD_FILES = "add files"
    """Say where the attachments lie."""
    AGAIN = "again"
    """The same once more."""
    APPROVE = "approve"
    AUDIT = "audit"
    CHECK = "check"
    COLUMNS = "columns"
    """Say what the columns of a workbook are."""
    CONFIG = "show settings"
    DOCTOR = "doctor"
    DROP = "drop"
    EXPORT = "export"
    EXPORT_RECEIPTS = "export receipts"
    EXPORT_TEAM = "export team"
    GIVE_ADDRESS = "give address"
    GIVE_KEY = "give key"
    GIVE_TEAM = "give team"
    INIT = "init"
    JOURNAL_PURGE = "journal purge"
    JOURNAL_RESTORE = "journal restore"
    JOURNAL_VERIFY = "journal verify"
    OWN_ADDRESS = "own address"
    """Name the address of the service oneself, beside the file of a folder."""
    OWN_PROFILE = "own profile"
    PLAN = "plan"
    RELEASE = "release"
    RESOLVE = "resolve"
    """How a person decides about a row."""
    RESULT_OF = "result of"
    """The result of a batch, to be submitted in the place of its workbook."""
    SAVE_PLAN = "save plan"
    SERVE = "start it on port"
    SHOW_KEY = "show approval key"
    STORE_FILE = "store file"
    """Keep the key in a file, also where there is a keyring."""
    SUBMIT = "submit"
    TEMPLATE = "template"
    VERIFY = "export verify"
    WAITING = "waiting"
    """Where rows that wait for a person are shown."""


class Given(_Value):
    """What a person gives, or chooses, for a run."""

    ABANDON = "abandon"
    ACCEPT_ADDRESSES = "accept addresses"
    ACCEPT_COORDINATES = "accept coordinates"
    ACCEPT_MISSING = "accept missing"
    ACCEPT_MONTHS_FIRST = "accept months-first"
    ACCEPT_OFF = "accept off"
    ACCEPT_PATTERNS = "accept patterns"
    ACCEPT_REFERENCES = "accept references"
    ACCEPT_REPEATS = "accept repeats"
    ADOPT = "adopt"
    ALL_SHEETS = "all-sheets"
    ALLOW_OWNER = "allow-owner"
    ASIDE = "aside"
    ASSIGNED_TO = "assigned-to"
    BAG = "bag"
    BASE_URL = "base-url"
    CANARY = "canary"
    DRAFTS_ONLY = "drafts-only"
    FAILED = "failed"
    FORMAT = "format"
    INCLUDE_HIDDEN = "include-hidden"
    INCLUDE_STRUCK = "include-struck"
    JOURNAL = "journal"
    KEEP_RESERVE = "keep-reserve"
    KEY_FILE = "key-file"
    KIND = "kind"
    MAX_ERRORS = "max-errors"
    MAX_TOKENS = "max-tokens"
    NO_MASK = "no-mask"
    ONLY = "only"
    OPENING = "opening"
    MESSAGE = "message"
    PLACES = "places"
    PRIORITY = "priority"
    RESULT = "result"
    RETRY = "retry"
    SEND = "send"
    SAVE_DOCUMENTS = "save-documents"
    SHEET = "sheet"
    SINCE = "since"
    SKIP_STRUCK = "skip-struck"
    STATUS = "status"
    STRICT = "strict"
    TABLE = "table"
    TYPE = "type"
    UNTIL = "until"
    UPDATE_DRAFTS = "update-drafts"
    VERBOSE = "verbose"
    WORKBOOK = "workbook"
    YES = "yes"

    @classmethod
    def named(cls, field: str) -> "Given":
        return cls(field.replace("_", "-"))


def without_marks(text: str) -> str:
    """Take out what marks are made of: no text from elsewhere may hold it."""
    return re.sub(f"[{_BEGIN}-{_END}]", "", text)


def said(text: str, words: Words) -> str:
    """Say a sentence in the words of a face; one that begins with a mark is capital.

    A mark that this kawe does not know is said as it is written.
    """
    if _BEGIN not in text:
        return text

    def say(mark: re.Match[str]) -> str:
        name, *about = mark["body"].split(_PART)
        value = _KNOWN.get(name)
        told = name.partition(" ")[2] if value is None else words(value, tuple(about))
        if mark["before"] is not None and not told.startswith("kawe"):
            told = told[:1].upper() + told[1:]
        return (mark["before"] or "") + told

    return _MARK.sub(say, text)


def said_in(document: Any, says: Says) -> Any:  # noqa: ANN401 - any JSON
    """Say every sentence of a document; its names stay."""
    match document:
        case str():
            return says(document)
        case Mapping():
            return {name: said_in(each, says) for name, each in document.items()}
        case list() | tuple():
            return [said_in(each, says) for each in document]
        case _ if is_dataclass(document):
            named = {
                each.name: getattr(document, each.name) for each in fields(document)
            }
            return said_in(named, says)
        case _:
            return document


_KNOWN: Final = {each.mark_name: each for kind in (Next, Given) for each in kind}
