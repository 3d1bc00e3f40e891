"""A browser for tests: Chromium without a window, spoken to by WebDriver.

The few commands of W3C WebDriver that the portal's tests need, over plain
HTTP, so that no browser library has to be installed.
"""

from __future__ import annotations

import base64
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Self

import httpx
import pytest

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER: Final = shutil.which("chromedriver")

in_a_browser: Final = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None,
    reason="chromium and chromedriver are not installed"
    " (apt-get install chromium chromium-driver)",
)

_SERIOUS: Final = """
return axe.run().then((found) => found.violations
  .filter((each) => ["serious", "critical"].includes(each.impact))
  .map((each) => `${each.id}: ${each.nodes[0].html}`))
"""

TAB: Final = "\ue004"
SHIFT: Final = "\ue008"
ENTER: Final = "\ue007"
ESCAPE: Final = "\ue00c"
RIGHT: Final = "\ue014"
SPACE: Final = " "

_ARGUMENTS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-device-scale-factor=1",
)


@dataclass
class Browser:
    """One window. A context manager; the profile lies in `folder`."""

    folder: Path
    with_scripts: bool = True
    size: tuple[int, int] = (1100, 900)
    _driver: subprocess.Popen[bytes] = field(init=False, repr=False)
    _client: httpx.Client = field(init=False, repr=False)

    def __enter__(self) -> Self:
        port = _free_port()
        self._driver = subprocess.Popen(
            [str(DRIVER), f"--port={port}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        base = f"http://127.0.0.1:{port}"
        self._client = httpx.Client(
            base_url=base, timeout=60, trust_env=False, verify=False
        )
        try:
            self._begin()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        try:
            # With a slash at its end, the driver knows no such address, and the
            # browser would stay.
            ended = self._client.delete(str(self._client.base_url).rstrip("/"))
            assert ended.is_success, ended.text
        finally:
            self._end()

    def open(self, url: str) -> None:
        """Go to a page and wait until it is loaded."""
        self._ask("POST", "/url", {"url": url})

    def back(self) -> None:
        """Press the browser's Back."""
        self._ask("POST", "/back")

    def tab(self) -> str:
        """Name the tab that is shown."""
        return str(self._ask("GET", "/window"))

    def new_tab(self) -> str:
        """Show a tab beside this one; give its name."""
        made = self._ask("POST", "/window/new", {"type": "tab"})
        self.show_tab(made["handle"])
        return str(made["handle"])

    def show_tab(self, name: str) -> None:
        """Show another tab."""
        self._ask("POST", "/window", {"handle": name})

    @property
    def url(self) -> str:
        return str(self._ask("GET", "/url"))

    @property
    def title(self) -> str:
        return str(self._ask("GET", "/title"))

    def text(self, css: str = "body") -> str:
        """Give the words a person sees in the first element that matches."""
        return str(self._ask("GET", f"/element/{self._find(css)}/text"))

    def value(self, css: str) -> str:
        """Give what stands in a field."""
        return str(self._ask("GET", f"/element/{self._find(css)}/property/value"))

    def style(self, css: str, name: str) -> str:
        """Give one computed style of an element."""
        return str(self._ask("GET", f"/element/{self._find(css)}/css/{name}"))

    def width(self, css: str) -> int:
        """Give how wide an element is, in CSS pixels."""
        return int(self._ask("GET", f"/element/{self._find(css)}/rect")["width"])

    def wait_for_title(self, begins: str) -> None:
        """Wait until a page whose title begins like this is shown."""
        try:
            _wait_until(lambda: self.title.startswith(f"{begins} –"), what=begins)
        except AssertionError as missing:
            missing.add_note(f"{self.title}: {self.text()[:500]}")
            raise

    def wait_for_text(self, css: str, says: str = "") -> str:
        """Wait until the first match says this, or anything if empty; give it."""

        def is_said() -> bool:
            now = self._says(css)
            return now == says if says else bool(now)

        _wait_until(is_said, what=says or css)
        return self._says(css)

    def _says(self, css: str) -> str:
        try:
            return self.text(css)
        except AssertionError:
            return ""

    def press(self, *keys: str) -> None:
        """Press keys one after the other, wherever the focus is."""
        actions = []
        for key in keys:
            actions.append({"type": "keyDown", "value": key})
            actions.append({"type": "keyUp", "value": key})
        body = {"actions": [{"type": "key", "id": "keys", "actions": actions}]}
        self._ask("POST", "/actions", body)

    def give(self, css: str, text: str) -> None:
        """Type into a field, or choose a file by its path."""
        self._ask("POST", f"/element/{self._find(css)}/value", {"text": text})

    def clear(self, css: str) -> None:
        self._ask("POST", f"/element/{self._find(css)}/clear", {})

    def click(self, css: str) -> None:
        """Click on the first element that matches."""
        self._ask("POST", f"/element/{self._find(css)}/click", {})

    def focused(self) -> str:
        """Give the accessible name of what has the focus."""
        found = self._ask("GET", "/element/active")
        return str(
            self._ask("GET", f"/element/{next(iter(found.values()))}/computedlabel")
        )

    def wait_for_focus(self, name: str) -> None:
        """Wait until the thing with this accessible name has the focus."""
        _wait_until(lambda: self.focused() == name, what=name)

    def tab_to(self, name: str, *, most: int = 60, begins: bool = False) -> None:
        """Press Tab until the thing with this accessible name has the focus.

        `begins`: one whose name begins so will do.
        """
        seen = []
        for _ in range(most):
            self.press(TAB)
            seen.append(self.focused())
            if seen[-1] == name or (begins and seen[-1].startswith(name)):
                return
        raise AssertionError(f"{name!r} cannot be reached by Tab: {seen}")

    def go(self, name: str, *, to: str = "") -> None:
        """Tab to a thing, press Enter, and wait for the page `to`, or of its name."""
        self.tab_to(name)
        self.press(ENTER)
        self.wait_for_title(to or name)

    def choose(self, name: str, *paths: Path) -> None:
        """Choose files by keys: Tab to the field, Space, and what its dialog gives."""
        # No driver can press keys in a dialog of the system.
        self.order("Page.setInterceptFileChooserDialog", enabled=True)
        self.tab_to(name, begins=True)
        self.press(SPACE)
        field = self.order("Runtime.evaluate", expression="document.activeElement")
        at = field["result"]["objectId"]
        self.order("DOM.setFileInputFiles", files=[*map(str, paths)], objectId=at)

    def drop(self, css: str, *paths: Path) -> None:
        """Drag files from a folder over an element, and let them go there."""
        at = self._ask("GET", f"/element/{self._find(css)}/rect")
        files = {"items": [], "files": [*map(str, paths)], "dragOperationsMask": 1}
        x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
        for what in ("dragEnter", "dragOver", "drop"):
            self.order("Input.dispatchDragEvent", type=what, x=x, y=y, data=files)

    def resize(self, *, width: int, height: int) -> None:
        """Make the window this large, in CSS pixels."""
        self._ask("POST", "/window/rect", {"width": width, "height": height})

    def show_as(self, *, width: int, height: int) -> None:
        """Show the page as a screen of this size does, however large windows may be."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1}
        self.order("Emulation.setDeviceMetricsOverride", **size, mobile=False)

    def show_in(self, scheme: str) -> None:
        """Show the page as people see it who prefer light or dark."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.order("Emulation.setEmulatedMedia", features=features)

    def go_offline(self) -> None:
        """Take the network away."""
        self.order("Network.enable")
        speed = {"latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
        self.order("Network.emulateNetworkConditions", offline=True, **speed)

    def order(self, command: str, **parameters: Any) -> Any:
        """Give the browser a command of its developer tools; give its answer."""
        body = {"cmd": command, "params": parameters}
        return self._ask("POST", "/goog/cdp/execute", body)

    def keep_cookie(self, name: str, value: str, *, path: str) -> None:
        """Keep a cookie of the server whose page is shown."""
        cookie = {"name": name, "value": value, "path": path, "sameSite": "Strict"}
        self._ask("POST", "/cookie", {"cookie": cookie})

    def complaints(self) -> list[str]:
        """Give what the page and the browser wrote to the console since last asked."""
        said = self._ask("POST", "/se/log", {"type": "browser"})
        return [str(each["message"]) for each in said]

    def barriers(self) -> list[str]:
        """Give what keeps people out of the page: serious findings of axe-core."""
        axe = files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")
        return list(self.run(f"{axe};{_SERIOUS}"))

    def paper(self) -> bytes:
        """Print the page as PDF, on the paper that it asks for."""
        printed = self.order("Page.printToPDF", preferCSSPageSize=True)
        return base64.b64decode(printed["data"])

    def run(self, script: str) -> Any:
        """Run a script in the page; give what it returns."""
        return self._ask("POST", "/execute/sync", {"script": script, "args": []})

    def picture(self) -> bytes:
        """Take a picture of the window as PNG."""
        return base64.b64decode(self._ask("GET", "/screenshot"))

    def _begin(self) -> None:
        _wait_for(self._client)
        width, height = self.size
        options = {
            "binary": CHROMIUM,
            "args": [
                *_ARGUMENTS,
                f"--window-size={width},{height}",
                f"--user-data-dir={self.folder}",
            ],
            "prefs": {
                "profile.managed_default_content_settings.javascript": (
                    1 if self.with_scripts else 2
                )
            },
        }
        logs = {"goog:loggingPrefs": {"browser": "ALL"}}
        wanted = {"alwaysMatch": {"goog:chromeOptions": options, **logs}}
        made = self._client.post("/session", json={"capabilities": wanted}).json()
        session_id = made["value"]["sessionId"]
        self._client.base_url = self._client.base_url.join(f"/session/{session_id}")

    def _end(self) -> None:
        self._client.close()
        self._driver.terminate()
        self._driver.wait(timeout=60)

    def _find(self, css: str) -> str:
        how = {"using": "css selector", "value": css}
        found: dict[str, str] = self._ask("POST", "/element", how)
        return next(iter(found.values()))

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        json = {} if method == "POST" and body is None else body
        answer = self._client.request(method, path, json=json).json()["value"]
        if isinstance(answer, dict) and "error" in answer:
            raise AssertionError(f"{answer['error']}: {answer['message'][:300]}")
        return answer


def _wait_until(happens: Callable[[], bool], *, what: str) -> None:
    for _ in range(600):
        if happens():
            return
        time.sleep(0.05)
    raise AssertionError(f"{what!r} is not shown")


def _free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def _wait_for(client: httpx.Client) -> None:
    for _ in range(600):
        try:
            if client.get("/status").json()["value"]["ready"]:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError("chromedriver does not answer")
