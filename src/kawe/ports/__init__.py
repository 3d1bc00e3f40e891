"""What the flows need from the world, as Protocols.

The docstrings in this package are the contracts: an adapter states only its surprises.
"""

from kawe.ports.days import WorkingDays
from kawe.ports.machine import Clock, Halt, Progress
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
    ExportFolder,
    PaperFolder,
    Places,
    RowChecker,
    Suggester,
    TableWriter,
)

__all__ = [
    "NO_QUERY",
    "Acts",
    "AnswerMemory",
    "Attachments",
    "Clock",
    "Downloads",
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
    "Suggester",
    "TableWriter",
    "Turns",
    "Uploads",
    "WorkingDays",
]
