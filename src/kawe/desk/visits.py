"""One request of a person: the desk as it stands, and what they typed."""

import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import IO, Any, Final, TypeAlias, TypeVar
from urllib.parse import urlencode

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response

from kawe.cases.care.journals import KnownJournal, own_journal
from kawe.cases.care.removing import desk_folder
from kawe.cases.kit import Toolkit
from kawe.desk.gate import Visitor
from kawe.desk.rendering import go_to, page
from kawe.desk.runs import Around, Doing, PageRun, PageRuns, band
from kawe.desk.works import Work, Works
from kawe.domain.text.texts import one_line
from kawe.errors import JournalLocked, KaweError
from kawe.html.rendering import origin_of
from kawe_contract.headers import LIVE_MARK, SANDBOX_MARK

_T = TypeVar("_T")
_DIGITS_MOST: Final = 7
_REFUSALS_MOST: Final = 32
_HIDDEN: Final = re.compile(
    rf"(form_token|key|passphrase)=|.*(@|{LIVE_MARK}|{SANDBOX_MARK})", re.DOTALL
)
_ALIKE: Final = (
    "Several of these files are called {}. Leave them out, and write the path of the "
    "folder above theirs into “Folder of the attachments”. Nothing was kept."
)
_LOCKED: Final = "The journal is in use by another kawe. Wait until it has finished."


def said_of(why: KaweError) -> str:
    """Say why something was not done, without the path and process of a journal."""
    return _LOCKED if isinstance(why, JournalLocked) else str(why)


class FormRefused(HTTPException):
    """A form is not followed; the page that it stands on says why."""

    def __init__(self, says: str, *, field: str = "") -> None:
        super().__init__(409, says)
        self.field = field
        """The one that is wrong; empty: it is not one field."""


@contextmanager
def about(field: str) -> Iterator[None]:
    """Say at a field why what stands in it is refused."""
    try:
        yield
    except KaweError as refused:
        raise FormRefused(said_of(refused), field=field) from refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file that a person chose."""

    name: str
    """As their browser says it; not to be believed."""
    content: IO[bytes] = field(repr=False)

    @property
    def ending(self) -> str:
        return PurePath(self.name).suffix.casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskVisit:
    """One request."""

    visitor: Visitor
    runs: PageRuns
    around: Around
    ids: Mapping[str, str]
    """The parts of the path that have names."""
    query: Mapping[str, str]
    here: str = ""
    """The path that is asked for, without its door."""
    form: FormData = field(default_factory=FormData)
    refused: str = ""
    """Why their form was not followed; the page says it."""
    wrong: str = ""
    """The id of the field that is wrong; empty: it is not one field."""
    _so_far: list[dict[object, Any]] = field(default_factory=list, repr=False)

    @property
    def toolkit(self) -> Toolkit:
        """Give a toolkit that asks the service nothing, or raise `SettingsError`."""
        return PageRun().toolkit(self.around.settings())

    def once(self, key: object, read: Callable[[], _T]) -> _T:
        """Read for a page, once for each state of the journal; acts read anew.

        The state is that before: what is written meanwhile is read the next time.
        """
        if not self._so_far:
            settings = self.toolkit.settings
            # Reports name days, and invitations expire.
            hour = int(self.toolkit.clock.now().timestamp() // 3600)
            state = settings.journal_place(), hour, self.toolkit.journal_state
            self._so_far.append(self.runs.read_in(state))
        (so_far,) = self._so_far
        if key not in so_far:
            so_far[key] = read()
        value: _T = so_far[key]
        return value

    @property
    def journal(self) -> KnownJournal:
        return self.once("journal", lambda: own_journal(self.around.settings()))

    def part_of(self, rows: Sequence[object], *, size: int = 100) -> dict[str, Any]:
        """Give the rows of the page that is asked for, `size` on each."""
        part = self.query.get("part", "1")
        at = int(part) if part.isdecimal() and len(part) < _DIGITS_MOST else 1
        # Rows may have left it since.
        begin = min(max(at, 1) - 1, max(len(rows) - 1, 0) // size) * size
        shown = rows[begin : begin + size]
        return {"rows": shown, "begin": begin, "all_rows": rows, "size": size}

    @property
    def portal(self) -> str:
        """Give the address of the portal; empty where it is not known."""
        return origin_of(self.toolkit.project_link(self.journal.binding))

    @property
    def works(self) -> Works:
        """Give the workbooks of the settings now, or raise `SettingsError`."""
        # One folder for each journal, as two services share nothing.
        settings = self.around.settings()
        works = Works(folder=desk_folder(settings.journal_path()))
        if settings.refusal() is None and self.runs.running is None:
            # Workbooks can come before there is a service, wherever that was named.
            for address in (settings.base_url, None):
                bare = replace(settings, base_url=address, key=None).journal_path()
                if not bare.exists():
                    Works(folder=desk_folder(bare)).move_to(works)
        return works

    @property
    def work(self) -> Work:
        """Give the workbook that the path names, or answer 404."""
        if (found := self.works.find(self.ids["work"])) is None:
            raise HTTPException(404, "The desk has no such workbook any more.")
        return found

    def tried(self, command: str, *, work_id: str = "") -> PageRun | None:
        """Give the last run of a command where it led here; later it is history."""
        return self.runs.last(work_id, command) if "tried" in self.query else None

    def is_at(self, work: Work) -> bool:
        """Say whether the desk is at work on a workbook, and shows how it goes."""
        running = self.runs.running
        return running is not None and running.work_id == work.id and not self.refused

    def text(self, name: str) -> str:
        """Give one field of the form without outer spaces; empty if missing."""
        value = self.form.get(name, "")
        return value.replace("\r\n", "\n").strip() if isinstance(value, str) else ""

    def number(self, name: str) -> int | None:
        """Give a whole number of the form; None where the field is empty.

        Raises:
            FormRefused: It is none.
        """
        if not (text := self.text(name).replace(",", "").replace(" ", "")):
            return None
        if not text.isdecimal() or len(text) > _DIGITS_MOST:
            raise FormRefused(
                "Write a whole number, or nothing. Nothing was done.", field=name
            )
        return int(text)

    def refuse(self, why: KaweError | HTTPException, *, on: str) -> Response:
        """Lead back to the page of the form, which says why; what was typed stays."""
        says = said_of(why) if isinstance(why, KaweError) else why.detail
        field = why.field if isinstance(why, FormRefused) else ""
        wrong = field and self._at(field)
        word, kept = secrets.token_hex(4), [*self.runs.refusals.items()]
        new = {"refused": says, "wrong": wrong, "form": self.harmless}
        self.runs.refusals = dict([*kept[1 - _REFUSALS_MOST :], (word, new)])
        query = urlencode({**self.query, "refused": word})
        return go_to(f"{on.format(**self.ids)}?{query}")

    @property
    def harmless(self) -> FormData:
        """Give what may be shown again; a key may stand in any field by mistake."""
        return FormData(
            [
                (name, text)
                for name, text in self.form.multi_items()
                if isinstance(text, str) and not _HIDDEN.match(f"{name}={text}")
            ]
        )

    def _at(self, name: str) -> str:
        # Where a page has several forms of one kind, each says which it is.
        return "-".join(filter(None, (name, self.text("at"))))

    def is_ticked(self, name: str) -> bool:
        return bool(self.text(name))

    def uploads(self, name: str) -> list[Upload]:
        """Give the files of a field; refuse those that only a folder tells apart."""
        given = [
            # Some browsers give the folder too; all write quotes otherwise.
            Upload(name=re.split(r"[\\/]", sent)[-1], content=each.file)
            for each in self.form.getlist(name)
            if isinstance(each, UploadFile)
            and (sent := (each.filename or "").replace("%22", '"'))
        ]
        last = {each.name.casefold(): each for each in given}
        if twice := [each for each in given if each not in last.values()]:
            raise FormRefused(_ALIKE.format(one_line(twice[0].name)), field=name)
        return given

    def begin(self, command: str, do: Doing, *, work: Work | None = None) -> Response:
        """Show a run that begins; raise `SettingsError` where another one runs."""
        made = PageRun(command=command, path=self.here, typed=self.harmless)
        made.work_id = work.id if work else ""
        self.runs.start(made, do, workbook=work.workbook if work else None)
        return go_to("/job")

    def page(self, template: str, /, **values: Any) -> Response:  # noqa: ANN401 - a template's
        """Make a page for this visitor."""
        # An agreement to what has changed since is typed anew.
        typed = {self._at(e): self.text(e) for e in self.form} if self.wrong else {}
        given = {
            "door": self.visitor.door,
            "here": self.here,
            "form_token": self.visitor.form_token,
            "band": band(self.around.settings, lambda _: self.journal),
            "runs": self.runs,
            "refused": self.refused,
            "wrong": self.wrong,
            "typed": typed,
            **values,
        }
        return page(template, given, status_code=409 if self.refused else 200)


View: TypeAlias = Callable[[DeskVisit], Response]
_View = TypeVar("_View", bound=View)
PAGES: Final[dict[str, View]] = {}
"""By path."""
ACTS: Final[dict[str, tuple[View, str]]] = {}
"""By path: what a form does, and the page that it stands on."""


def shown_at(path: str) -> Callable[[_View], _View]:
    """Show a page at a path."""

    def keep(view: _View) -> _View:
        PAGES[path] = view
        return view

    return keep


def done_at(path: str, *, on: View) -> Callable[[_View], _View]:
    """Follow the form that is sent to a path, and stands `on` a page."""

    def keep(view: _View) -> _View:
        ACTS[path] = view, next(at for at, shown in PAGES.items() if shown is on)
        return view

    return keep
