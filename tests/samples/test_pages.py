"""What a command prints over any sample fits on a page, unless all was asked for."""

import shutil

import pytest

from doubles.command import at_a_twin
from samples.expecting import samples

MOST_LINES = 59
BOOKS = {".xlsx", ".xlsm", ".csv"}


@pytest.fixture
def person(tmp_path):
    """Sit a person before a narrow terminal and a twin with few tokens."""
    with at_a_twin(tmp_path, tokens=60) as person:
        person.environment["COLUMNS"] = "80"
        yield person


def _printed(person, *words):
    """Count the lines that a command prints, on both streams."""
    done = person.run(*words)
    return len(done.stdout.splitlines()) + len(done.stderr.splitlines())


def _copied(sample, folder):
    shutil.copytree(sample.folder, folder)
    return sorted(path for path in folder.iterdir() if path.suffix in BOOKS)


def _is_long(sample):
    """Say whether more than a few lines can be about a sample."""
    rows = sample.expected.get("rows") or 0
    return rows > 10 or len(sample.expected.get("findings", ())) > 2


def _pages(person, which, *words):
    """Give the commands over samples that print more than a page."""
    printed = {}
    for sample in filter(which, samples()):
        for book in _copied(sample, person.folder / sample.folder.name):
            name = str(book.relative_to(person.folder))
            lines = _printed(person, words[0], name, *words[1:])
            if lines > MOST_LINES:
                printed[name] = lines
    return printed


@pytest.mark.short_campaign
def test_no_check_prints_60_lines_over_any_sample(person):
    assert _pages(person, lambda _: True, "check") == {}


@pytest.mark.short_campaign
def test_no_plan_prints_60_lines_over_any_sample(person):
    assert _pages(person, _is_long, "plan") == {}


@pytest.mark.short_campaign
def test_no_submit_prints_60_lines_over_any_sample_nor_what_lists_its_rows(person):
    agreed = ("--yes", "500", "--no-input", "-q")
    assert _pages(person, _is_long, "submit", *agreed) == {}
    person.environment = {}
    lines = {each: _printed(person, each) for each in ("status", "deferred", "held")}
    batches = [each["batch"] for each in person.document("status")["batches"]]
    assert len(batches) > 1
    for batch in batches:
        lines[batch] = _printed(person, "status", batch)
    assert {each: many for each, many in lines.items() if many > MOST_LINES} == {}
