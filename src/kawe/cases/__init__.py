"""Each verb once; the one room that knows every class and builds the adapters.

A `Toolkit` reads and checks. A `Session` is a toolkit with an open service and
journal, bound to one account. Here stands what faces take of rooms below as it is.

Whatever reads or writes a workbook, the journal or the service may raise
`WorkbookError`, `JournalError` or `ServiceError`; what a person named that is not one
thing, or cannot be understood, `SettingsError`; a place that cannot be written
`ResultNotWritable`. A docstring names only what a function raises besides, or what such
an error means there.
"""

from kawe.files.plans import is_plan as is_plan
from kawe.files.plans import plan_from_text as plan_from_text
from kawe.files.plans import read_plan as read_plan
from kawe.files.plans import read_plan_file as read_plan_file
from kawe.files.plans import write_plan as write_plan
from kawe.files.saving import safe_name as safe_name
from kawe.files.saving import save_named as save_named
from kawe.journal.history import purge_journal as purge_journal
from kawe.journal.holding import Cutoffs as Cutoffs
from kawe.journal.holding import Hold as Hold
from kawe.journal.holding import disposable as disposable
from kawe.journal.holding import holds_of as holds_of
from kawe.journal.holding import put_hold as put_hold
from kawe.notices import Notifier as Notifier
from kawe.workbook.identify import check_is_file as check_is_file
