"""The one place that knows every class: adapters are picked and stacked here.

A `Toolkit` reads and checks; a `Session` is a toolkit with a service and a
journal open, bound to one account. The command line calls these and nothing
below them.
"""

from kawe.toolkit.choices import agreed_mode, find_batch
from kawe.toolkit.kit import Reading, Toolkit
from kawe.toolkit.notifying import open_notifier
from kawe.toolkit.session import Prepared, Session, open_session

__all__ = [
    "Prepared",
    "Reading",
    "Session",
    "Toolkit",
    "agreed_mode",
    "find_batch",
    "open_notifier",
    "open_session",
]
