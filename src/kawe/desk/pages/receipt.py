"""Receipts: saved into a folder of the person, and opened from there."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from kawe.cases import save_named
from kawe.cases.kit import Toolkit
from kawe.cases.records.exporting import save_receipts
from kawe.cases.session import open_session
from kawe.desk.runs import Balance, DeskRun
from kawe.desk.visits import DeskVisit, View
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.service.papers import ReceiptExport
from kawe.durable import make_folder

_SAVE: Final = "export receipts"
_PLACE: Final = "receipts-folder.txt"
_SHOWN: Final = 500


def receipts(visit: DeskVisit) -> Response:
    """Show the receipts that are saved."""
    folder = _kept(visit)
    return visit.page(
        "receipts.html",
        folder=str(folder or _usual()),
        is_saved=folder is not None,
        files=[] if folder is None else _files(folder),
        saved=visit.runs.last("", _SAVE),
    )


def save(visit: DeskVisit) -> Response:
    """Save what is new."""
    named = visit.text("folder")
    folder = Path(named).expanduser()
    if not named or not folder.is_absolute():
        raise HTTPException(
            400, f"Write the whole path of a folder, such as {_usual()}. Go back."
        )
    place = visit.works.folder / _PLACE

    async def export(toolkit: Toolkit, _: DeskRun) -> tuple[ReceiptExport, int]:
        async with open_session(toolkit) as session:
            visit.runs.balance = Balance.of(session)
            done = await save_receipts(session, folder)
        make_folder(place.parent)
        save_named(place, str(folder).encode(), called="place of the receipts")
        is_whole = done.is_complete and not done.missing
        return done, ExitCode.DONE if is_whole else ExitCode.SERVICE

    return visit.begin(_SAVE, export)


def open_one(visit: DeskVisit) -> Response:
    """Give one saved file."""
    folder, name = _kept(visit), visit.query.get("name", "")
    if folder is None or name not in _files(folder):
        raise HTTPException(404, "There is no such receipt in the folder any more.")
    return FileResponse(folder / name, filename=name)


def _kept(visit: DeskVisit) -> Path | None:
    try:
        folder = Path((visit.works.folder / _PLACE).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return folder if folder.is_dir() else None


def _files(folder: Path) -> list[str]:
    found = (each for each in folder.iterdir() if each.suffix in {".pdf", ".xlsx"})
    return sorted(each.name for each in found if each.is_file())[:_SHOWN]


def _usual() -> Path:
    home = Path.home()
    documents = home / "Documents"
    return (documents if documents.is_dir() else home) / "kawe receipts"


PAGES: Final[tuple[tuple[str, View], ...]] = (
    ("/receipts", receipts),
    ("/receipts/file", open_one),
)
ACTS: Final[tuple[tuple[str, View], ...]] = (("/receipts/save", save),)
