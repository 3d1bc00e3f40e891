"""One request of a person: the desk as it stands, and what they typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Final, TypeAlias

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response

from kawe.desk.gate import Visitor
from kawe.desk.runs import Around, PageRuns
from kawe.desk.pages import page
from kawe.desk.works import Work, Works

_NAME_MOST: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file that a person chose."""

    name: str
    """As their browser says it; not to be believed."""
    content: IO[bytes] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One request."""

    visitor: Visitor
    runs: PageRuns
    around: Around
    ids: Mapping[str, str]
    """The parts of the path that have names."""
    query: Mapping[str, str]
    form: FormData = field(default_factory=FormData)

    @property
    def works(self) -> Works:
        """Give the workbooks of the settings as they are now.

        Raises:
            SettingsError: The settings cannot be used.
        """
        # One folder for each journal, as two services share nothing.
        journal = self.around.settings().journal_path()
        return Works(folder=journal.parent / "desk" / journal.stem)

    @property
    def work(self) -> Work:
        """Give the workbook that the path names, or answer 404."""
        found = self.works.find(self.ids["work"])
        if found is None:
            raise HTTPException(404, "The desk has no such workbook any more.")
        return found

    def text(self, name: str) -> str:
        """Give one field of the form without outer spaces; empty if missing."""
        value = self.form.get(name, "")
        return value.replace("\r\n", "\n").strip() if isinstance(value, str) else ""

    def is_ticked(self, name: str) -> bool:
        """Check that a box was ticked."""
        return bool(self.text(name))

    def uploads(self, name: str) -> list[Upload]:
        """Give the files that were chosen; a field that was left empty gives none."""
        return [
            Upload(name=each.filename[-_NAME_MOST:], content=each.file)
            for each in self.form.getlist(name)
            if isinstance(each, UploadFile) and each.filename
        ]

    def page(self, template: str, /, **values: Any) -> Response:  # noqa: ANN401 - a template's
        """Make a page for this visitor."""
        given = {
            "form_token": self.visitor.form_token,
            "running": self.runs.running,
            "refresh_seconds": None,
            **values,
        }
        return page(template, given)


View: TypeAlias = Callable[[Visit], Response]
