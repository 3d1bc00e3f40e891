"""What other people of this computer can do to an open desk, and what they see."""

import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from doubles.browser import CHROMIUM
from doubles.desk import Desk

HALVES = 3_000
_NOBODY = 65534
_HOLDS_HALF_REQUESTS = """
import os, resource, socket, sys
number, port, other = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (number + 100, number + 100))
if os.geteuid() == 0:  # Only root can become somebody else.
    os.setuid(other)
held = []
for _ in range(number):
    line = socket.socket()
    line.connect(("127.0.0.1", port))
    try:
        line.sendall(b"GET / HTTP/1.1\\r\\nHost: ")
    except OSError:
        pass
    held.append(line)
print("held", flush=True)
sys.stdin.read()
def is_open(line):
    line.settimeout(0)
    try:
        return bool(line.recv(1))
    except BlockingIOError:
        return True
    except OSError:
        return False
print(sum(map(is_open, held)))
"""

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/cmdline").exists(), reason="processes are read from /proc"
)


def test_3000_half_requests_of_another_user_keep_nobody_out(desk):
    words = map(str, (HALVES, desk.client.base_url.port, _NOBODY))
    with subprocess.Popen(
        [sys.executable, "-c", _HOLDS_HALF_REQUESTS, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout.readline() == "held\n"
        answers = [desk.client.get("/").status_code for _ in range(5)]
        still_open = int(other.communicate()[0])
    assert (answers, still_open <= 64) == ([200] * 5, True)


class Watch:
    """Keeps what every process was started with, as each user of the machine can."""

    def __init__(self):
        self.seen = set()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def _look(self):
        while not self._ended.is_set():
            for each in Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    self.seen.add(each.read_bytes().replace(b"\0", b" ").decode())
                except OSError:
                    continue
            time.sleep(0.01)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
def test_no_process_is_started_with_what_opens_the_desk(person, tmp_path):
    shown, told = tmp_path / "shown.html", tmp_path / "told"
    browser = tmp_path / "browser"
    browser.write_text(
        f"""#!/bin/sh
echo "$1" > {told}
for time in 1 2 3; do  # under load a browser may end before it shows anything
  {CHROMIUM} --headless --no-sandbox --disable-gpu --dump-dom "$1" \\
    --user-data-dir={tmp_path}/profile --virtual-time-budget=5000 \\
    > {shown}.part 2> /dev/null
  test -s {shown}.part && break
done
mv {shown}.part {shown}
"""
    )
    browser.chmod(0o755)
    person.environment = {"BROWSER": f"{browser} %s &"}
    with Watch() as watch, Desk(person, opens=False, shows=True) as desk:
        for _ in range(600):
            if shown.exists():
                break
            time.sleep(0.05)
        # The page that forwards lies in a file for its owner alone.
        page = Path(told.read_text("utf-8").strip().removeprefix("file://"))
        mode = stat.S_IMODE(page.stat().st_mode)
        secrets = {desk.door, desk.address.rpartition("/")[2]}
    assert "<h1>Open the desk</h1>" in shown.read_text("utf-8")
    assert [each for each in watch.seen if page.as_uri() in each] != []
    assert [e for e in watch.seen if any(secret in e for secret in secrets)] == []
    assert (mode, page.exists()) == (0o600, False)
