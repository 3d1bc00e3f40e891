"""Texts that mean harm stay texts, wherever they come in and wherever they come out."""

import json
from collections import Counter

import jsonschema_rs
import pytest

from doubles.command import Person
from doubles.payloads import (
    MARK,
    PAYLOADS,
    assert_csv_is_inert,
    assert_folder_is_inert,
    assert_json_is_inert,
    assert_screen_is_inert,
    assert_text_is_inert,
)
from doubles.poisoned_book import NAME, poisoned_book
from doubles.poisoned_service import NEEDED, poisoned_service
from doubles.terminal import Terminal
from kawe_twin.serving import TwinOptions, start_twin
from write_result_schema import schema

RESULTS = jsonschema_rs.validator_for(schema(), validate_formats=True)
BOOK = f"{NAME}.xlsx"
SHEET = f"=1+{MARK}<b>&%s{{{{1}}}}"
ASK = ("--all-sheets", "--yes", "999", "--no-input")
FILES = ("--failed", "wrong.xlsx", "--geojson", "map.geojson")
# What a person types, in this order; then the service says nothing as it should.
BEFORE = (
    ("check", BOOK, "--all-sheets", "--verbose"),
    ("check", BOOK),
    ("check", BOOK, "--sheet", PAYLOADS[27]),
    ("plan", BOOK, "--sheet", SHEET, "-o", "plan.json"),
    ("submit", "plan.json", "--yes", "99", "--no-input", "--canary", "5"),
)
AFTER = (
    *(("status",), ("waiting", "--verbose"), ("waiting", "--json")),
    ("waiting", "-o", "waiting.xlsx"),
    ("status", "--write", "--failed", "rest.csv"),
    ("export", "receipts", "-o", "receipts"),
)
LAST = (("submit", BOOK, *ASK), ("export", "receipts", "-o", "others"), ("doctor",))


@pytest.fixture(scope="module")
def month(tmp_path_factory):
    """Give a folder after a month in which everybody meant harm, and what was said."""
    place = tmp_path_factory.mktemp("payloads")
    twin = start_twin(TwinOptions(folder=place / "twin", tokens=12, rate_limit=100_000))
    person = Person(folder=place / "person", twin=twin)
    person.folder.mkdir()
    (person.folder / BOOK).write_bytes(poisoned_book())
    tell = person.folder / "tell"
    tell.write_text("#!/bin/sh\ncat > told.json\n", "utf-8")
    tell.chmod(0o700)
    with poisoned_service(twin.address.api_url) as service:
        person.environment = {"KAWE_BASE_URL": service.url}
        service.refused = "R-4"
        said = [(words, person.run(*words)) for words in BEFORE]
        # What the service shows of a draft is not what its row says.
        service.keeping = NEEDED | {"name"}
        at_terminal = Terminal(
            person, "submit", BOOK, *ASK, *FILES, "--notify-cmd", "./tell"
        )
        code = at_terminal.end()
        said += [(words, person.run(*words)) for words in AFTER]
        service.keeping = NEEDED
        said += [(words, person.run(*words)) for words in LAST]
    twin.stop()
    return person, said, (code, at_terminal.screen)


def test_nothing_active_reaches_a_terminal_or_a_pipe(month):
    _, said, (code, screen) = month
    assert code == 4, screen
    assert_screen_is_inert(screen)
    for words, told in said:
        assert "unexpected" not in told.stderr, told.stderr
        assert_text_is_inert(told.stderr, keeps="\n\r")
        if "--json" in words:
            assert_json_is_inert(told.stdout.encode())
        else:
            assert_text_is_inert(told.stdout)


def test_every_file_is_whole_and_holds_the_texts_as_texts(month):
    person, _, _ = month
    own = person.folder / BOOK
    results = [each.name for each in person.folder.glob("*.result.xlsx")]
    looked = assert_folder_is_inert(
        person.folder, sparing=[own], theirs=dict.fromkeys(results, own.read_bytes())
    )
    # Two results, two lists of rows to correct, two maps, plan, receipts, logs, notice.
    assert (len(results), looked > 25) == (2, True), looked


def test_no_row_was_lost_and_every_way_was_gone(month):
    person, _, _ = month
    counts = Counter[str]()
    for path in person.folder.glob("*.result.json"):
        document = json.loads(path.read_bytes())
        RESULTS.validate(document)
        assert sum(document["counts"].values()) == len(document["rows"])
        counts.update(document["counts"])
    assert counts.keys() >= {"to correct", "held", "sent", "not as asked"}, counts
    assert counts.total() == 4 * len(PAYLOADS)


def test_a_table_for_excel_gives_each_payload_back_when_its_guard_is_taken_away(month):
    person, _, _ = month
    (path,) = (
        each for each in person.folder.glob("*.result.csv") if "people" in each.name
    )
    cells = {cell for row in assert_csv_is_inert(path.read_bytes()) for cell in row}
    assert {f"'{each}" for each in PAYLOADS if each.startswith(("=", "@"))} <= cells
