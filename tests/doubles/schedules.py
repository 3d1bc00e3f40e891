"""What the pages give to be copied into a scheduler, filled in by their own rules."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from architecture.house import ROOT

MONTHLY = "run-unattended.md"
WATCH = "follow-the-answers.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """What a person puts in the place of the examples."""

    program: str
    folder: str
    workbook: str = "monthly.xlsx"


def blocks(page: str, language: str) -> list[str]:
    """Give the texts of a page in one language, in their order."""
    text = (ROOT / "docs" / "how-to" / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def crontab(page: str, own: Filling) -> str:
    """Fill in the line for cron, with the comment above it."""
    (text,) = [each for each in blocks(page, "text") if " && " in each]

    def quoted(path: str) -> str:
        return "'" + path.replace("'", "'\\''").replace("%", "\\%") + "'"

    return _filled(
        text,
        {
            "'/srv/uploads'": quoted(own.folder),
            "'/usr/local/bin/kawe'": quoted(own.program),
            "'monthly.xlsx'": quoted(own.workbook),
        },
    )


def systemd_units(page: str, own: Filling) -> tuple[str, str]:
    """Fill in the service, and give the timer as it is."""
    service, timer = blocks(page, "ini")

    def quoted(path: str) -> str:
        path = path.replace("%", "%%").replace("$", "$$").replace('"', '\\"')
        return f'"{path}"'

    values = {
        "/srv/uploads": own.folder.replace("%", "%%"),
        '"/usr/local/bin/kawe"': quoted(own.program),
        '"monthly.xlsx"': quoted(own.workbook),
    }
    return _filled(service, values), timer


def windows_task(page: str, own: Filling) -> str:
    """Fill in the task for Windows; that of a watch has its parts from two pages."""
    task, *_ = blocks(MONTHLY, "xml")
    if page == WATCH:
        trigger, arguments = (each.strip() for each in blocks(WATCH, "xml"))
        for tag, part in (("CalendarTrigger", trigger), ("Arguments", arguments)):
            before, _, rest = task.partition(f"<{tag}>")
            task = before + part + rest.partition(f"</{tag}>")[2]
    return _filled(
        task,
        {
            "C:\\Uploads": escape(own.folder),
            '"C:\\kawe\\kawe.exe"': f'"{escape(own.program)}"',
            '"monthly.xlsx"': f'"{escape(own.workbook)}"',
        },
    )


def cron_shell(text: str) -> tuple[list[str], str]:
    """Take a crontab apart as cron does: times, and what it hands to the shell."""
    (line,) = [each for each in text.splitlines() if not each.startswith("#")]
    *times, command = line.split(" ", 5)
    # An unescaped percent sign would end the command.
    assert not re.search(r"(?<!\\)%", command)
    return times, command.replace("\\%", "%")


def program() -> str:
    """Name the kawe that is installed beside this Python."""
    return str(Path(sys.executable).with_name("kawe"))


def _filled(text: str, values: dict[str, str]) -> str:
    examples = re.compile("|".join(map(re.escape, values)))
    missing = [each for each in values if each not in text]
    assert set(missing) <= {'"monthly.xlsx"', "'monthly.xlsx'"}
    return examples.sub(lambda found: values[found[0]], text)
