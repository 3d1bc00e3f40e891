"""What a person said of columns is kept whole, and a broken file is named."""

import json
from datetime import date

import pytest

from kawe.domain.sheet.tables import HeadingRule, KeptReading
from kawe.errors import SettingsError
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS
from kawe.settings import headings as kept

SAID = KeptReading(
    kind=PROJECTS,
    fields={"works begin": "start_date", "lodged": None},
    workbook="Roads.xlsx",
    kept_on=date(2026, 11, 26),
)
NOTHING = {"schema": "kawe.columns/1", "kept": {}, "rules": {}}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "kawe"


def test_below_a_file_nothing_was_kept_and_nothing_can_be(folder):
    folder.touch()
    assert kept.column_memory(()).kept == {}
    with pytest.raises(SettingsError, match="cannot be written"):
        kept.keep_columns("abc", SAID)


def test_what_was_said_of_a_shape_is_kept_and_forgotten():
    kept.keep_columns("abc", SAID)
    assert kept.column_memory(()).kept == {"abc": SAID}
    assert [kept.forget_columns("abc"), kept.forget_columns("abc")] == [True, False]
    assert kept.column_memory(()).kept == {}


def test_the_last_word_of_a_shape_counts_and_the_oldest_shapes_are_forgotten(folder):
    kept.keep_columns("0", SAID)
    path = folder / "columns.json"
    said = json.loads(path.read_bytes())
    said["kept"] = {f"{number}": said["kept"]["0"] for number in range(1_000)}
    path.write_text(json.dumps(said), "utf-8")
    kept.keep_columns("0", SAID)
    kept.keep_columns("new", SAID)
    assert [*kept.column_memory(()).kept] == [
        *(f"{number}" for number in range(2, 1_000)),
        "0",
        "new",
    ]


def test_a_rule_for_every_sheet_is_an_act_of_its_own():
    kept.keep_rule(PROJECTS, "Lodged", "reference")
    kept.keep_rule(PROJECTS, "LODGED", None)
    assert kept.column_memory(()).rules == {
        (PROJECTS, "lodged"): HeadingRule(
            kind=PROJECTS, heading="LODGED", field=None, by="as you said of every sheet"
        )
    }
    assert [
        kept.forget_rule(INVITATIONS, "Lodged"),
        kept.forget_rule(PROJECTS, "Lodged"),
    ] == [False, True]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"schema": "kawe.columns/1", "kept": [], "rules": {}}',
        '{"schema": "kawe.columns/1", "kept": {}, "rules": {"people": {}}}',
        '{"schema": "kawe.columns/1", "kept": {"a": {}}, "rules": {}}',
        json.dumps(NOTHING | {"kept": {"a": {**SAID.as_json(), "kept_on": "once"}}}),
    ],
)
def test_a_file_that_kawe_did_not_write_is_named(folder, text):
    folder.mkdir()
    (folder / "columns.json").write_text(text, "utf-8")
    with pytest.raises(SettingsError) as refused:
        kept.column_memory(())
    assert str(folder / "columns.json") in refused.value.message
