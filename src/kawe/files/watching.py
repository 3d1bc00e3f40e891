"""What a watch knows, in a file beside the journal.

It is replaced as a whole at the beginning and the end of a round. It names its account
by a hash and its projects by their ids, and quotes nothing that anybody wrote.
"""

import json
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

from kawe.domain.rows.entries import Binding
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.watching import SeenProject, WatchMemory
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import one_line
from kawe.durable import make_folder, replacing
from kawe.errors import JournalError, JournalForeign
from kawe.files.answers import account_of

_SCHEMA: Final = "kawe.watch/1"
_UNREADABLE: Final = (ValueError, TypeError, LookupError, RecursionError)


def watch_beside(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}.watch")


def read_memory(path: Path, *, binding: Binding) -> WatchMemory:
    """Read what a watch knows; nothing where it never ran.

    Raises:
        JournalForeign: It is of another account.
        JournalError: It cannot be read.
    """
    try:
        # A pipe would never end.
        if not path.exists():
            return WatchMemory()
        text = path.read_bytes() if path.is_file() else b""
        return _memory(json.loads(text), account=account_of(binding))
    except (OSError, *_UNREADABLE) as trouble:
        raise JournalError(
            message=f"What the watch knows cannot be read: {one_line(str(path))}.",
            hint="Put it back from a copy. Without one, move it away: the next round "
            "then learns how things stand.",
        ) from trouble


def keep_memory(path: Path, memory: WatchMemory, *, binding: Binding) -> None:
    """Replace what a watch knows, durably."""
    document = {
        "schema": _SCHEMA,
        "account": account_of(binding),
        "rounds": memory.rounds,
        "looked_at": _said(memory.looked_at),
        "began_at": _said(memory.began_at),
        "since": _said(memory.since_at),
        "swept_on": _said(memory.swept_on),
        "invitations": sorted(memory.invitations),
        "projects": {key: _record(seen) for key, seen in memory.projects.items()},
    }
    data = json.dumps(document, ensure_ascii=True, separators=(",", ":")).encode()
    try:
        make_folder(path.parent)
        with replacing(path) as file:
            file.write(data)
    except OSError as trouble:
        raise JournalError(
            message=f"What the watch knows cannot be written: {one_line(str(path))}.",
            hint="Make room on the disk, or check who may write there, and "
            f"{Next.AGAIN}: the round is done again.",
        ) from trouble


def _record(seen: SeenProject) -> list[Any]:
    return [
        seen.updated_at.isoformat(),
        seen.status,
        seen.is_over,
        _said(seen.since_at),
        seen.is_read,
        seen.opens,
        sorted(seen.responses),
        seen.of_team,
        _said(seen.warned_on),
        _said(seen.respond_by_on),
    ]


def _memory(document: Mapping[str, Any], *, account: str) -> WatchMemory:
    if document["schema"] != _SCHEMA:
        raise ValueError("another schema")
    if document["account"] != account:
        raise JournalForeign(
            message="What the watch knows here is of another account.",
            hint=f"Name the journal of this account with {Given.JOURNAL}, or use its "
            "key.",
        )
    return WatchMemory(
        rounds=int(document["rounds"]),
        looked_at=_instant(document["looked_at"]),
        began_at=_instant(document["began_at"]),
        since_at=_instant(document["since"]),
        swept_on=_day(document["swept_on"]),
        invitations=frozenset(map(str, document["invitations"])),
        projects={
            ProjectId(key): _seen(record)
            for key, record in document["projects"].items()
        },
    )


def _seen(record: list[Any]) -> SeenProject:
    updated_at, status, is_over, since_at, is_read, opens, responses, *rest = record
    of_team, warned_on, *later = rest
    return SeenProject(
        updated_at=datetime.fromisoformat(updated_at),
        status=str(status),
        is_over=is_over is True,
        since_at=_instant(since_at),
        is_read=is_read is True,
        opens=opens is True,
        responses=frozenset(map(str, responses)),
        of_team=int(of_team),
        warned_on=_day(warned_on),
        respond_by_on=_day(later[0]) if later else None,
    )


def _said(when: date | None) -> str | None:
    return None if when is None else when.isoformat()


def _instant(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
