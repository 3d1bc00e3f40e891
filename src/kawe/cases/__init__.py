"""Each verb once; the one room that knows every class and builds the adapters.

A `Toolkit` reads and checks. A `Session` is a toolkit with an open service and
journal, bound to one account. Here stands what faces take of rooms below as it is.

Whatever reads or writes a workbook, the journal or the service may raise
`WorkbookError`, `JournalError` or `ServiceError`; what a person named that is not one
thing, or cannot be understood, `SettingsError`; a place that cannot be written
`ResultNotWritable`. A docstring names only what a function raises besides, or what such
an error means there.
"""

from kawe.files.plans import (
    is_plan,
    plan_from_text,
    read_plan,
    read_plan_file,
    write_plan,
)
from kawe.files.saving import safe_name, save_named
from kawe.journal.history import purge_journal
from kawe.journal.holding import Cutoffs, Hold, disposable, holds_of, put_hold
from kawe.notices import Notifier
from kawe.workbook.identify import check_is_file

__all__ = [
    "Cutoffs",
    "Hold",
    "Notifier",
    "check_is_file",
    "disposable",
    "holds_of",
    "is_plan",
    "plan_from_text",
    "purge_journal",
    "put_hold",
    "read_plan",
    "read_plan_file",
    "safe_name",
    "save_named",
    "write_plan",
]
