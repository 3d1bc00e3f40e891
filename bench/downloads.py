"""How near an export of receipts comes to curl on the same links.

    python bench/downloads.py            5,000 receipts, each way three times
    python bench/downloads.py 600        as many
    python bench/downloads.py --tiny     four, each way once

The twin runs in a process of its own. It has printed one receipt, of which the others
are copies, so that no time goes by for printing. curl gets every link at once and takes
eight documents at a time: it lists nothing, asks for no link, hashes nothing, and
leaves it to the system when files reach the disk. The export is a process of kawe, from
its start to its end. Of three times, the shortest counts.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

AT_ONCE = 8
SERVE = """
import pathlib, sys
from kawe_twin.serving import TwinOptions, serve_twin
def ready(address):
    print(address.api_url, address.live_key, flush=True)
folder = pathlib.Path(sys.argv[1])
options = TwinOptions(
    folder=folder, rate_limit=10**7, tokens=10**5, link_seconds=36_000
)
serve_twin(options, ready=ready)
"""
BODY = {
    "name": "Papa tākaro",
    "description": "He papa tākaro mō te hapori.",
    "type": "EARTHWORKS",
    "start_date": "2030-12-01",
    "end_date": "2030-12-31",
    "respond_by_date": "2030-12-20",
    "address": "1 Te Ara, Tāmaki Makaurau",
    "latitude": -36.85,
    "longitude": 174.76,
    "files": [],
    "draft": False,
}


@dataclass(frozen=True, kw_only=True)
class Twin:
    """A twin with receipts."""

    url: str
    key: str

    def ask(self, method: str, path: str, body: object = None) -> dict[str, object]:
        line = HTTPConnection(urllib.parse.urlsplit(self.url).netloc)
        headers = {
            "Authorization": f"Bearer {self.key}",
            "Content-Type": "application/json",
        }
        line.request(method, path, None if body is None else json.dumps(body), headers)
        said = json.loads(line.getresponse().read())
        line.close()
        return said["response_object"]

    def links(self) -> list[str]:
        """Ask for a link to each receipt."""
        team = self.ask("GET", "/user")["teams"][0]["id"]
        documents, page = [], 1
        while True:
            said = self.ask("GET", f"/team/{team}/receipts?limit=100&page={page}")
            documents += [each["document_id"] for each in said["data"]]
            if len(documents) >= said["total"]:
                break
            page += 1
        with ThreadPoolExecutor(AT_ONCE) as crew:
            return [
                each["url"]
                for each in crew.map(
                    lambda document: self.ask("GET", f"/download/{document}"),
                    documents,
                )
            ]


@contextmanager
def serving(folder: Path) -> Iterator[Twin]:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(folder)], stdout=subprocess.PIPE, text=True
    )
    try:
        url, key = process.stdout.readline().split()
        yield Twin(url=url, key=key)
    finally:
        process.terminate()
        process.wait()


def fill(twin: Twin, *, receipts: int) -> None:
    """Send projects: each has a receipt."""
    with ThreadPoolExecutor(AT_ONCE) as crew:
        bodies = ({**BODY, "name": f"Papa {number:05d}"} for number in range(receipts))
        list(crew.map(lambda body: twin.ask("POST", "/projects", body), bodies))


def by_curl(folder: Path, links: list[str]) -> None:
    folder.mkdir()
    listed = folder / "links"
    listed.write_text(
        "".join(
            f'url = "{link}"\noutput = "{folder}/{number}.pdf"\n'
            for number, link in enumerate(links)
        )
    )
    words = [
        "curl",
        "-sf",
        "--no-progress-meter",
        "--parallel",
        "--parallel-max",
        str(AT_ONCE),
    ]
    subprocess.run([*words, "-K", listed], check=True, stderr=subprocess.DEVNULL)
    listed.unlink()


def print_all(documents: Path, links: list[str]) -> None:
    """Let one receipt be printed, and put it in the place of each."""
    with urllib.request.urlopen(links[0]) as answer:
        printed = answer.read()
    for link in links:
        document = urllib.parse.urlsplit(link).path.rpartition("/")[2]
        (documents / document).write_bytes(printed)


def kawe(*words: str, home: Path, twin: Twin) -> None:
    """Run a command as somebody whose home is this folder."""
    home.mkdir(mode=0o700, exist_ok=True)
    surroundings = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "KAWE_BASE_URL": twin.url,
        "KAWE_API_KEY": twin.key,
    }
    subprocess.run(
        [sys.executable, "-m", "kawe", *words, "--workers", str(AT_ONCE), "--quiet"],
        env=surroundings,
        stdout=subprocess.DEVNULL,
        check=True,
    )


def by_kawe(folder: Path, twin: Twin) -> None:
    home = folder.with_name("home")
    shutil.rmtree(home, ignore_errors=True)
    kawe("export", "receipts", "-o", str(folder), home=home, twin=twin)


def seconds(folder: Path, fetch: Callable[[Path], None], *, receipts: int) -> float:
    begun = time.perf_counter()
    fetch(folder)
    took = time.perf_counter() - begun
    found = len(list(folder.glob("*.pdf")))
    if found != receipts:
        raise SystemExit(f"{found} of {receipts} receipts came")
    shutil.rmtree(folder)
    return took


def asked(*, many: int, least: int) -> tuple[int, int]:
    """Read from the command line how many, and how often; end where curl is missing."""
    if shutil.which("curl") is None:
        print("  there is no curl here")
        sys.exit()
    words = sys.argv[1:]
    return (least, 1) if words == ["--tiny"] else (int(*words or (many,)), 3)


def main() -> None:
    receipts, times = asked(many=5_000, least=4)
    with tempfile.TemporaryDirectory(prefix="kawe-bench-") as name:
        place = Path(name)
        with serving(place / "twin") as twin:
            fill(twin, receipts=receipts)
            links = twin.links()
            print_all(place / "twin" / "documents", links)
            curl, own, busy = [], [], []
            for _ in range(times):
                target = place / "papers"
                curl.append(
                    seconds(target, lambda at: by_curl(at, links), receipts=receipts)
                )
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                own.append(
                    seconds(target, lambda at: by_kawe(at, twin), receipts=receipts)
                )
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                busy.append(
                    after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                )
    for who, took in (("curl", min(curl)), ("kawe", min(own))):
        print(f"  {who} {took:8.2f} s {receipts / took:8.0f} receipts a second")
    print(f"  ratio {min(curl) / min(own):.2f}")
    print(
        f"  kawe: {min(busy) / receipts * 1000:.2f} ms of the processor for each "
        f"receipt, at most {after.ru_maxrss / 1024:.0f} MB"
    )


if __name__ == "__main__":
    main()
