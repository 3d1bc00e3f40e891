"""What the flows need from the world, as Protocols.

The docstrings in this package are the contracts: an adapter states only its surprises.
"""

from kawe.ports.machine import (
    Alerts,
    Attachments,
    Clock,
    EarlierList,
    ExportFolder,
    Halt,
    PaperFolder,
    Places,
    Progress,
    RowChecker,
    Spool,
    Suggester,
    WorkingDays,
)
from kawe.ports.memory import AnswerMemory, Journal
from kawe.ports.service import (
    NO_QUERY,
    Acts,
    Downloads,
    Lookups,
    Pace,
    QueryValue,
    Turns,
    Uploads,
)

__all__ = [
    "NO_QUERY",
    "Acts",
    "Alerts",
    "AnswerMemory",
    "Attachments",
    "Clock",
    "Downloads",
    "EarlierList",
    "ExportFolder",
    "Halt",
    "Journal",
    "Lookups",
    "Pace",
    "PaperFolder",
    "Places",
    "Progress",
    "QueryValue",
    "RowChecker",
    "Spool",
    "Suggester",
    "Turns",
    "Uploads",
    "WorkingDays",
]
