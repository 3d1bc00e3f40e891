"""How the journal writes instants and texts, and how it names a row.

Instants are text of one fixed width in UTC, so that they sort by time.
"""

from datetime import UTC, datetime

from kawe.domain.service.states import RowKey
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError


def instant_to_text(at: datetime) -> str:
    """Write an instant, which has a time zone, in UTC with microseconds."""
    if at.tzinfo is None:
        raise JournalError(message=f"{at.isoformat()} has no time zone.")
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def storable(text: str) -> str:
    """Give `text` as UTF-8 can hold it: half characters become `?`."""
    return text.encode("utf-8", "replace").decode("utf-8")


def shown_key(key: RowKey) -> str:
    """Name a row for a person: its reference or address, if its key has one."""
    kind, _, name = key.partition(":")
    if kind == "row" or not name:
        return "a row without a reference"
    return f"row {one_line(name, limit=80)}"


def unknown(key: RowKey) -> JournalError:
    return JournalError(message=f"The journal does not know {shown_key(key)}.")
