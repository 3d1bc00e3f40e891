"""A person before `kawe desk`: the real process, and a browser that runs no script."""

from __future__ import annotations

import html
import os
import re
import shutil
import signal
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self, TextIO

import httpx

from doubles.browser import Browser
from doubles.command import Person
from doubles.typed_commands import Started, start_command

SHOWN = re.compile(r'name="sha256" value="([^"]+)"')
_SHAPE = re.compile(r'name="shape" value="([^"]+)"')
FORM_TOKEN = re.compile(r'name="form_token" value="([^"]+)"')
_PATIENCE_SECONDS = 60


def _has_no_mark(response: httpx.Response) -> None:
    """Check that a page says what to do next in words."""
    assert not {b"\xef\xb7\x90", b"\xef\xb7\x92"} & set(
        re.findall(rb"\xef\xb7[\x90-\x92]", response.read())
    )


@dataclass
class Desk:
    """The desk of a person. A context manager; `client` has the cookie."""

    person: Person
    options: tuple[str, ...] = ()
    opens: bool = True
    """False: the address was not used yet."""
    shows: bool = False
    """True: the command starts a browser."""
    address: str = ""
    client: httpx.Client = field(init=False, repr=False)
    process: Started = field(init=False, repr=False)
    said: TextIO = field(init=False, repr=False)
    _form_token: str = field(default="", init=False, repr=False)

    def __enter__(self) -> Self:
        pipe = Path(tempfile.mkdtemp(prefix="kawe-desk-")) / "said"
        os.mkfifo(pipe)
        self.process = start_command(
            ("desk", *(() if self.shows else ("--no-open",)), *self.options),
            folder=self.person.folder,
            environment=self.person.surroundings(),
            screen=str(pipe),
        )
        self.said = pipe.open(encoding="utf-8")
        shutil.rmtree(pipe.parent)
        self.address = self.said.readline().split()[-1]
        base = self.base
        origin = base.rpartition("/")[0]
        self.client = httpx.Client(
            base_url=base,
            headers={"Origin": origin},
            follow_redirects=True,
            timeout=60,
            trust_env=False,
            verify=False,
            event_hooks={"response": [_has_no_mark]},
        )
        if self.opens:
            assert self.client.post(self.address).status_code == 200
        return self

    def __exit__(self, *raised: object) -> None:
        self.client.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=_PATIENCE_SECONDS)
        self.said.close()

    def lend_to(self, browser: Browser) -> None:
        """Let a browser in that goes on where the client is."""
        browser.open(f"{self.base}/")
        for name, value in self.client.cookies.items():
            browser.keep_cookie(name, value, path=self.door)

    @property
    def base(self) -> str:
        """Give what stands before the path of every page."""
        return self.address.partition("/open/")[0]

    @property
    def door(self) -> str:
        """Give the path that the desk puts before that of every page."""
        return httpx.URL(self.base).path

    def open_in(self, browser: Browser) -> None:
        """Open the desk as a person does: the address, then its button."""
        browser.open(self.address)
        browser.click("main button")
        browser.wait_for_title("Workbooks")

    def place(self, page: httpx.Response) -> str:
        """Give the path of a page within the desk."""
        return page.url.raw_path.decode().removeprefix(self.door)

    def get(self, path: str) -> str:
        """Give the text of a page as a person reads it, once no job runs."""
        return read(self.settled(path).text)

    def settled(self, path: str, page: httpx.Response | None = None) -> httpx.Response:
        """Give a page once it no longer loads itself again."""
        page = page or self.client.get(path)
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while 'http-equiv="refresh"' in page.text:
            assert time.monotonic() < deadline, read(page.text)
            time.sleep(0.05)
            page = self.client.get(path)
        return page

    def post(self, path: str, files: object = None, **fields: object) -> httpx.Response:
        """Send a form of the desk, and follow to the page that it leads to."""
        form = {"form_token": self.form_token(), **fields}
        sent = self.client.post(path, data=form, files=files)  # type: ignore[arg-type]
        return self.settled(self.place(sent), sent) if sent.is_success else sent

    def agree(
        self, page: httpx.Response, path: str, **fields: object
    ) -> httpx.Response:
        """Send the form of a page that agrees to what that page shows."""
        found = SHOWN.search(page.text)
        assert found is not None, read(page.text)
        return self.post(path, sha256=found[1], **fields)

    def answers(self, page: httpx.Response, **fields: object) -> httpx.Response:
        """Send what a page asks of columns."""
        place, shapes = self.place(page).partition("?")[0], _SHAPE.findall(page.text)
        return self.post(f"{place}/headings", shape=shapes[0], **fields)

    def form_token(self) -> str:
        """Give what every form of the pages carries."""
        if not self._form_token:
            (self._form_token,) = set(FORM_TOKEN.findall(self.client.get("/").text))
        return self._form_token

    def put_in(self, name: str, content: bytes) -> httpx.Response:
        """Drop a workbook on the first page; give the page it leads to."""
        return self.post("/works", files={"workbook": (name, content)})


def read(page: str) -> str:
    """Give the text of a page, its tags gone, each run of spaces one."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())
