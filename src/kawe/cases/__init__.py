"""Each verb once; the one room that knows every class and builds the adapters.

A `Toolkit` reads and checks. A `Session` is a toolkit with an open service and
journal, bound to one account. The command line uses adapters only through these.
"""

from kawe.cases.batches.plans import (
    Made,
    account_check,
    check_rules,
    make_saved_plan,
    reading_of_plan,
)
from kawe.cases.choices import find_batch, make_sure_of_account
from kawe.cases.kit import Toolkit
from kawe.cases.reaching import open_notifier
from kawe.cases.records.exporting import save_receipts, verify_papers
from kawe.cases.session import Prepared, Session, open_session
from kawe.cases.sheets import (
    SheetsToRead,
    SheetToRead,
    result_place,
    result_place_of,
    why_new,
)
from kawe.cases.waiting.deciding import resolve_all, resolve_row
from kawe.domain.batch.saved_plans import Reading
from kawe.files.plans import is_plan, read_plan, read_plan_file, write_plan
from kawe.files.saving import safe_name, save_named
from kawe.flows.check.across import mark_across
from kawe.flows.check.repeats import REPEATS
from kawe.journal.purging import purge_journal
from kawe.notices import Notifier

__all__ = [
    "REPEATS",
    "Made",
    "Notifier",
    "Prepared",
    "Reading",
    "Session",
    "SheetToRead",
    "SheetsToRead",
    "Toolkit",
    "account_check",
    "check_rules",
    "find_batch",
    "is_plan",
    "make_saved_plan",
    "make_sure_of_account",
    "mark_across",
    "open_notifier",
    "open_session",
    "purge_journal",
    "read_plan",
    "read_plan_file",
    "reading_of_plan",
    "resolve_all",
    "resolve_row",
    "result_place",
    "result_place_of",
    "safe_name",
    "save_named",
    "save_receipts",
    "verify_papers",
    "why_new",
    "write_plan",
]
