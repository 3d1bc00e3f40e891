"""The log: every known secret is taken out, whoever wrote the line."""

import asyncio
import json
import logging
import subprocess
import sys
from urllib.parse import quote

import pytest

from kawe.cli.output import log

KEY = 'kw_live_canary"7f3a/9c21'


@pytest.fixture
def lines(tmp_path, monkeypatch):
    """Begin a log, and give a function that reads it."""
    log.keep_out(KEY)
    monkeypatch.setenv("KAWE_DEBUG", "1")
    log.start(tmp_path / "log")
    yield lambda: (tmp_path / "log" / "kawe.log").read_text("utf-8")
    for name in ("kawe", "asyncio"):
        logger = logging.getLogger(name)
        logger.propagate = True
        for handler in list(logger.handlers):
            logger.removeHandler(handler)
            handler.close()


SPELLINGS = (KEY, json.dumps(KEY), json.dumps(json.dumps(KEY)), quote(KEY, safe=""))


def test_a_secret_is_taken_out_however_it_is_spelt(lines):
    for spelt in SPELLINGS:
        logging.getLogger("kawe.test").info("sent %s", spelt)
    said = [json.loads(line)["what"] for line in lines().splitlines()]
    assert said == [
        "sent [secret]",
        'sent "[secret]"',
        'sent "\\"[secret]\\""',
        "sent [secret]",
    ]


def test_a_thousand_equal_lines_are_four_and_one_that_differs_is_kept(lines):
    for at in range(1000):
        logging.getLogger("kawe.test").error("no handles left")
        if at == 500:
            logging.getLogger("kawe.test").error("another")
    said = [json.loads(line)["what"] for line in lines().splitlines()]
    # A minute may end meanwhile: then it is counted from one again.
    assert len(said) <= 9
    assert ("another" in said, said[0]) == (True, "no handles left")
    assert said.count("no handles left (100 times)") in {1, 2}


async def test_what_the_event_loop_complains_of_goes_to_the_log_and_not_to_the_screen(
    lines, capfd
):
    async def broken():
        raise ValueError(KEY)

    task = asyncio.create_task(broken())
    await asyncio.wait([task])
    del task
    record = json.loads(lines().splitlines()[-1])
    assert (record["where"], "[secret]" in record["trace"], capfd.readouterr().err) == (
        "asyncio",
        True,
        "",
    )


UNLIMITED = ("/bin/sh", "-c", 'ulimit -c unlimited; exec "$@"', "sh")


def test_no_crash_writes_what_was_in_memory():
    code = (
        "import resource, sys\n"
        "from kawe.__main__ import main\n"
        "sys.argv = ['kawe', '--version']\n"
        "try:\n"
        "    main()\n"
        "except SystemExit:\n"
        "    print(resource.getrlimit(resource.RLIMIT_CORE))\n"
    )
    done = subprocess.run(
        [*UNLIMITED, sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "(0, 0)"
