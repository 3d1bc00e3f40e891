"""A journal is looked after, and results, plans and logs of long ago are removed.

Only files that kawe wrote and nobody changed, copies of workbooks at the desk, and
copies from a bucket, which the next run that needs one fetches again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from kawe.cases.batches.approving import is_genuine
from kawe.cases.sheets import results_beside
from kawe.domain.batch.journal_servers import JournalPlace
from kawe.domain.rows.entries import Batch, Binding
from kawe.domain.service.states import SETTLED, State
from kawe.domain.text.next_steps import Next
from kawe.domain.text.table_doc import TableDoc
from kawe.domain.text.texts import counted, one_line
from kawe.errors import JournalError, ResultNotWritable
from kawe.files.answers import answers_beside
from kawe.files.plans import plan_document
from kawe.files.watching import watch_beside
from kawe.journal.copies import (
    JournalCopy,
    back_up_journal,
    carry_journal,
    move_journal,
    restore_journal,
)
from kawe.journal.history import Verification, verify_journal
from kawe.journal.holding import holds_of
from kawe.journal.journal import StoreJournal
from kawe.settings.values import Settings, state_folder
from kawe.workbook.replacing import head_of, may_replace
from kawe.workbook.results.tables import write_table

_OVER: Final = SETTLED | {State.WITHDRAWN}
_CHANGED: Final = "kawe did not write it, or it was changed since"
_OTHERS: Final = "it is of another team, mode or service"
_YOUNG: Final = "it was written later"
_NOT_LOOKED_FOR: Final = (
    "kawe does not look for receipts, backups, results of workbooks that were never "
    "submitted, and files that lie elsewhere: delete these yourself."
)
_SHOWN: Final = 1000

_Stamp = tuple[int, int, int]
"""Inode, size and last write (nanoseconds) of a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OldFiles:
    """What a purge would remove, and what it keeps although it looked at it."""

    files: Mapping[Path, _Stamp] = field(default_factory=dict)
    kept: Mapping[str, str] = field(default_factory=dict)
    """Why each stays."""
    own: tuple[Path, ...] = ()
    """Folders of kawe's own; one below them that is empty goes too."""

    def lines(self) -> Iterator[str]:
        """Say what goes, what stays, and what kawe did not look for."""
        yield "Files that are not needed any more:" if self.files else "No file is old."
        yield from (f"  {_shown(path)}" for path in self.files)
        if self.kept:
            yield "What stays:"
        yield from (f"  {what}: {why}" for what, why in self.kept.items())
        yield _NOT_LOOKED_FOR

    def as_json(self) -> dict[str, object]:
        """Give the same for JSON documents."""
        kept = [{"what": what, "why": why} for what, why in self.kept.items()]
        return {"removed": [*self.files], "kept": kept}

    def remove(self, *, unlink: Callable[[Path], None] = Path.unlink) -> None:
        """Remove the files; one that is gone or was changed meanwhile is left alone.

        Raises:
            ResultNotWritable: Some could not be removed; the others are.
        """
        stuck = []
        for path, stamp in self.files.items():
            try:
                if _stamp_of(path) == stamp:
                    unlink(path)
                    with suppress(OSError):
                        for folder in path.parents:
                            if not any(own in folder.parents for own in self.own):
                                break
                            folder.rmdir()
            except FileNotFoundError:
                pass
            except OSError:
                stuck.append(_shown(path))
        if stuck:
            count = counted(len(stuck), "file", "files")
            raise ResultNotWritable(
                message=f"{count} could not be removed: {'; '.join(stuck)}.",
                hint="Nothing was taken out of the journal. Close them in Excel, and "
                f"look whether you may delete them; then {Next.AGAIN}.",
            )


def desk_folder(journal: Path) -> Path:
    return journal.resolve().parent / "desk" / journal.stem


async def find_old_files(settings: Settings, *, done_before: datetime) -> OldFiles:
    """Find the results, plans and logs that are not needed any more.

    Those of a workbook are not if all rows of its batches were done, and the file
    written, before an instant, and none is held. Of the desk, workbooks that were never
    submitted go too.
    """
    place = settings.journal_place()
    held = {batch: hold.words() for hold, batch in holds_of(place)[1].values()}
    async with aclosing(StoreJournal.open(place, read_only=True)) as journal:
        binding = await journal.binding()
        reasons = {
            batch: held.get(batch.name)
            or await _why_needed(batch, journal=journal, before=done_before)
            for batch in await journal.batches()
        }
        workbooks: dict[Path, bool] = {}
        for batch, reason in reasons.items():
            for reading in await journal.readings(batch.name):
                path = Path(reading.workbook)
                workbooks[path] = workbooks.get(path, True) and not reason
    found = {
        file: _why_kept(said, binding=binding, before=done_before)
        for file, said in _beside(workbooks)
    }
    desk = desk_folder(settings.journal_path())
    # A result there that somebody changed stays, as anywhere.
    found = dict.fromkeys(_of_desk(desk, workbooks, before=done_before), "") | found
    bucket = settings.bucket_folder
    gone = (*_logs(done_before), *_of_bucket(bucket, before=done_before))
    batches = {
        f"results and plans of the batch {batch.name}": reason
        for batch, reason in reasons.items()
        if reason
    }
    return OldFiles(
        files={
            file: stamp
            for file, reason in (found | dict.fromkeys(gone, "")).items()
            if not reason and (stamp := _stamp_of(file)) is not None
        },
        kept=batches | {_shown(file): why for file, why in found.items() if why},
        own=(desk, bucket),
    )


async def _why_needed(batch: Batch, *, journal: StoreJournal, before: datetime) -> str:
    """Say why the files of a batch are needed; empty: they are not."""
    rows = await journal.entries(batch.name)
    if needed := sum(row.state not in _OVER or row.moved_at >= before for row in rows):
        return f"{counted(needed, 'row is', 'rows are')} not done, or not long enough"
    return "" if batch.read_at < before else "its workbook was read later"


class _Written(NamedTuple):
    """What a file says of itself."""

    at: object
    """An instant as text."""
    account: tuple[object, object]
    """Team and mode; empty where the service was not asked."""
    is_untouched: bool


def _beside(workbooks: Mapping[Path, bool]) -> Iterator[tuple[Path, _Written]]:
    """Give the results and plans of workbooks whose rows are all done."""
    own = {path.resolve() for path in workbooks}
    for workbook, is_done in workbooks.items():
        if not is_done or not workbook.parent.is_dir():
            continue
        for file in sorted(results_beside(workbook)):
            # A link stays: what it leads to may be anything.
            if file.is_file() and not file.is_symlink() and file.resolve() not in own:
                head = head_of(file)
                account = head.get("team"), head.get("mode")
                yield file, _Written(head.get("written_at"), account, may_replace(file))
        for file in sorted(workbook.parent.glob("*.json")):
            plan = None if file.is_symlink() else plan_document(file)
            if plan is not None and _is_of(plan[0], workbook):
                yield file, _plan(*plan)


def _is_of(plan: Mapping[str, Any], workbook: Path) -> bool:
    reading = plan.get("reading")
    return isinstance(reading, dict) and reading.get("workbook") == str(workbook)


def _plan(document: Mapping[str, Any], is_untouched: bool) -> _Written:  # noqa: FBT001 - of one pair
    account = document.get("account")
    said = account if isinstance(account, dict) else {}
    whose = said.get("team_name"), said.get("mode")
    return _Written(document.get("made_at"), whose, is_untouched)


def _why_kept(said: _Written, *, binding: Binding | None, before: datetime) -> str:
    """Say why a file stays; empty: it goes."""
    mine = {("", "")}
    if binding is not None:
        mine.add((binding.team_name, binding.mode))
    try:
        is_old = datetime.fromisoformat(str(said.at)) < before
    except (TypeError, ValueError):
        return _CHANGED
    if not said.is_untouched:
        return _CHANGED
    if said.account not in mine:
        return _OTHERS
    return "" if is_old else _YOUNG


def _of_desk(
    desk: Path, workbooks: Mapping[Path, bool], *, before: datetime
) -> Iterator[Path]:
    """Give each file of a workbook at the desk of which no row is still at work."""
    for home in sorted(desk.glob("*/")):
        # The journal may know another path to it; its name is its own.
        batches = (
            done for place, done in workbooks.items() if home.name in place.parts
        )
        files = sorted(each for each in home.rglob("*") if each.is_file())
        if all(batches) and all(_is_older(each, before) for each in files):
            yield from files


def _logs(before: datetime) -> Iterator[Path]:
    """Give the logs that nobody writes any more."""
    logs = sorted((state_folder() / "log").glob("kawe.log.*"))
    yield from (file for file in logs if _is_older(file, before))


def _of_bucket(folder: Path, *, before: datetime) -> Iterator[Path]:
    """Give the copies that came from a bucket before an instant."""
    for file in sorted(folder.rglob("*")):
        # The time of its last write is that of the object.
        if file.is_file() and file.lstat().st_ctime < before.timestamp():
            yield file


def _is_older(file: Path, before: datetime) -> bool:
    stamp = _stamp_of(file)
    return stamp is not None and stamp[2] < before.timestamp() * 1e9


def _stamp_of(file: Path) -> _Stamp | None:
    """Give what changes with a file; None: there is none."""
    try:
        found = file.lstat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _shown(path: Path) -> str:
    return one_line(str(path), limit=_SHOWN)


__all__ = ["JournalCopy", "back_up_journal", "restore_journal"]


_SHOWN_OF_A_ROW: Final = ("reference", "kind", "batch", "state", "since", "held")


def write_disposal(rows: Sequence[Mapping[str, str]], path: Path) -> Path:
    """Write a disposal list, and say where: it replaces no file of a person."""
    table = TableDoc(
        title="Disposal list",
        headings=tuple(name.capitalize() for name in _SHOWN_OF_A_ROW),
        rows=[[row[name] for name in _SHOWN_OF_A_ROW] for row in rows],
        above=("Disposal list", "A purge takes out the rows that are not held."),
    )
    return write_table(path, table)


def place_of(settings: Settings) -> Path:
    """Say where the journal of the settings and the key lies, or would lie.

    Raises:
        SettingsError: Neither a journal nor key and address are named.
    """
    if settings.journal is None:
        settings.service_url()
        settings.service_key()
    return file_of(settings)


def file_of(settings: Settings) -> Path:
    """Give the journal's file, for a copy of it.

    Raises:
        JournalError: It is on a server.
    """
    if settings.journal_server is not None:
        raise JournalError(
            message=f"The journal is on a server: {settings.journal_place()}.",
            hint="Copy the database with the server's own programs, such as pg_dump.",
        )
    return settings.journal_path()


def verify_whole(place: JournalPlace, *, kept: str = "") -> Verification:
    """Check the history of a journal, and the signatures of its approvals.

    `kept` is the hash of an event that must be there.
    """
    return verify_journal(place, proves=is_genuine, kept=kept)


def move_whole(settings: Settings, to: str, *, at: datetime) -> JournalCopy:
    """Move a journal to another folder, or to or from a server.

    What checks were told and what a watch knows goes to another folder too.
    """
    place, target = settings.journal_place(), settings.place_at(to)
    path = settings.journal_path()
    folder = target.absolute() if isinstance(target, Path) else None
    if folder is None or not isinstance(place, Path):
        wanted = target if folder is None else folder / path.name
        return carry_journal(place, wanted, at=at)
    return move_journal(
        path, folder, companions=[answers_beside(path), watch_beside(path)]
    )
