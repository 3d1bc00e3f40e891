"""Files that people keep say what to do next in words, for both faces."""

import zipfile

from doubles.command import csv_row, write_csv

_MARKS = tuple(bytes([0xEF, 0xB7, end]) for end in (0x90, 0x91, 0x92))
_BOTH = "kawe release monthly (at the desk: a release on the page “Waiting for tokens”)"


def _parts(path):
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as book:
            return [book.read(name) for name in book.namelist()]
    return [path.read_bytes()]


def test_no_file_that_people_keep_holds_a_mark_and_results_say_both(person_with):
    person = person_with(tokens=1)
    rows = [csv_row(n) for n in range(4)]
    write_csv(
        person.folder / "monthly.csv", [*rows, csv_row(5, **{"End date": "soon"})]
    )
    person.run("plan", "monthly.csv", "-o", "plan.json")
    colleague = ("--journal", "colleague.journal")
    person.run("submit", "monthly.csv", "--drafts-only", "--no-input", *colleague)
    rows[3][1] = "Another name"
    write_csv(
        person.folder / "monthly.csv", [*rows, csv_row(5, **{"End date": "soon"})]
    )
    done = person.run(
        *("submit", "monthly.csv", "--yes", "9", "--no-input", "--settle", "1"),
        *("--failed", "wrong.xlsx"),
    )
    assert done.returncode == 4, done.stdout + done.stderr
    person.run("waiting", "-o", "queue.xlsx")
    person.run("audit", "-o", "audit.xlsx")
    files = [
        path
        for path in person.folder.rglob("*")
        if path.suffix in {".xlsx", ".csv", ".json", ".html"}
    ]
    marked = [
        path.name
        for path in files
        for part in _parts(path)
        if any(mark in part or b"\\ufdd" in part for mark in _MARKS)
    ]
    assert (len(files) > 7, marked) == (True, [])
    result = (person.folder / "monthly.result.csv").read_text("utf-8-sig")
    assert _BOTH.replace(" monthly", "") in result
