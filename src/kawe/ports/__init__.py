"""What the flows need from the world, as Protocols.

The docstrings in this package are the contracts: an adapter states only its surprises.
"""

from kawe.ports.machine import Alerts, Clock, Halt, Progress, WorkingDays
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
from kawe.ports.workbooks import (
    Attachments,
    EarlierList,
    ExportFolder,
    PaperFolder,
    Places,
    RowChecker,
    Spool,
    Suggester,
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
