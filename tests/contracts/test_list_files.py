"""The files of an exported list: whole, flat in memory, and never over a person's."""

import json
import subprocess
import tracemalloc
from functools import partial

import pytest
from openpyxl import load_workbook

from kawe.domain.service.list_tables import PROJECTS
from kawe.domain.service.lists import ListCounts, ListRecord
from kawe.errors import ResultNotWritable
from kawe.files.lists import DiskSpool, ListFile, WrittenList, json_lines
from kawe.workbook.results.tables import list_csv, list_workbook

COUNTS = ListCounts(listed=0, total=0, tabs={}, is_proven=True, taken=0, sums={})
TABLES = PROJECTS.tables


def files(*endings):
    opened = {
        "jsonl": json_lines,
        "csv": partial(list_csv, table=TABLES[0]),
        "xlsx": lambda file, _: list_workbook(
            file, title="Projects", lines=("Counted.",), tables=TABLES
        ),
    }
    return [ListFile(name=f"projects.{each}", open=opened[each]) for each in endings]


def export(folder, *items, endings=("jsonl",)):
    written = WrittenList(folder=folder, stem="projects")
    with written.writing(files(*endings), COUNTS) as put:
        for item in items:
            put(ListRecord(item=item, about={}))
    return written


def test_a_second_export_replaces_the_first_and_the_hashes_hold(tmp_path):
    export(tmp_path, {"id": "a"}, endings=("jsonl", "csv", "xlsx"))
    written = export(tmp_path, {"id": "b"})
    assert (tmp_path / "projects.jsonl").read_text() == '{"id":"b"}\n'
    assert (written.kept, sorted(path.name for path in tmp_path.iterdir())) == (
        {},
        ["projects.csv", "projects.jsonl", "projects.sha256", "projects.xlsx"],
    )
    export(tmp_path, {"id": "c"}, endings=("csv",))
    check = ("sha256sum", "--strict", "--check", "projects.sha256")
    done = subprocess.run(check, cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stdout.count(b": OK")) == (0, 3)


def test_a_file_that_a_person_changed_stays_and_is_not_taken_for_an_earlier_export(
    tmp_path,
):
    export(tmp_path, {"id": "a"})
    mine = tmp_path / "projects.jsonl"
    mine.write_text('{"id":"mine"}\n')
    written = WrittenList(folder=tmp_path, stem="projects")
    assert written.earlier() is None
    for again in ("b", "c"):
        written = export(tmp_path, {"id": again})
        assert written.kept == {"projects.jsonl": "projects (2).jsonl"}
    assert mine.read_text() == '{"id":"mine"}\n'
    assert (tmp_path / "projects (2).jsonl").read_text() == '{"id":"c"}\n'


def test_an_earlier_export_is_read_by_id(tmp_path):
    export(tmp_path, {"id": "a", "name": "ā"}, {"id": "b"})
    earlier = WrittenList(folder=tmp_path, stem="projects").earlier()
    assert (set(earlier.ids()), earlier.get("a"), earlier.get("c")) == (
        {"a", "b"},
        {"id": "a", "name": "ā"},
        None,
    )
    earlier.close()


def test_an_export_that_is_given_up_leaves_everything_as_it_was(tmp_path):
    export(tmp_path, {"id": "a"})
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    # What JSON cannot hold stops the second record.
    with pytest.raises(TypeError):
        export(tmp_path, {"id": "b"}, {"id": {1}}, endings=("xlsx", "csv", "jsonl"))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_run_that_was_killed_between_its_files_knows_them_again(tmp_path):
    export(tmp_path, {"id": "a"}, endings=("jsonl", "csv"))
    old = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    written = export(tmp_path, {"id": "b"}, endings=("jsonl", "csv"))
    # As the list was before the first file got its name.
    both = "".join(f"{sha}  {name}\n" for name, sha in written.files.items())
    was = "".join(
        f"# {line}\n" for line in old["projects.sha256"].decode().splitlines()
    )
    (tmp_path / "projects.sha256").write_text(both + was)
    (tmp_path / "projects.csv").write_bytes(old["projects.csv"])
    again = export(tmp_path, {"id": "c"}, endings=("jsonl", "csv"))
    assert (again.kept, set(again.files)) == ({}, {"projects.jsonl", "projects.csv"})
    # What would be there if the last file had not got its name.
    assert (tmp_path / "projects.sha256").read_text().count("# ") == 1


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ResultNotWritable, match="cannot be written"):
        export(tmp_path / "file", {"id": "a"})


@pytest.mark.parametrize("line", ["../x", "/etc/passwd", "a/b"])
def test_an_edited_list_of_hashes_names_no_file_elsewhere(tmp_path, line):
    (tmp_path / "projects.sha256").write_text(f"{'0' * 64}  {line}\n")
    assert list(export(tmp_path, {"id": "a"}).files) == ["projects.jsonl"]
    assert line not in (tmp_path / "projects.sha256").read_text()


def test_the_workbook_has_a_title_a_table_and_real_days(tmp_path):
    item = {"id": "a", "name": "=1+1", "created_on": "2026-11-23T01:55:45Z"}
    export(tmp_path, item, endings=("xlsx",))
    (sheet,) = load_workbook(tmp_path / "projects.xlsx")
    rows = [list(row) for row in sheet.iter_rows()]
    head = {cell.value: cell.column - 1 for cell in rows[2]}
    created, name = rows[3][head["Created"]], rows[3][head["Name"]]
    assert [row[0].value for row in rows[:2]] == ["Projects", "Counted."]
    assert (created.is_date, created.number_format) == (True, "d mmm yyyy h:mm")
    assert (name.value, name.data_type) == ("=1+1", "s")
    assert (sheet.tables["kawe_projects"].ref[:3], sheet.freeze_panes) == ("A3:", "A4")
    assert sheet.print_title_rows == "$3:$3"
    assert (sheet.page_setup.fitToWidth, sheet.print_title_cols) == (3, "$A:$B")


def test_memory_does_not_grow_with_the_list(tmp_path):
    def peak(number):
        spool = DiskSpool()
        tracemalloc.start()
        places = [spool.put(_project(n)) for n in range(number)]
        written = WrittenList(folder=tmp_path, stem="projects")
        with written.writing(files("jsonl", "csv"), COUNTS) as put:
            for place in places:
                put(ListRecord(item=spool.get(place), about={}))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        spool.close()
        return most

    few, many = peak(200), peak(2_000)
    assert many < few + 400_000
    lines = (tmp_path / "projects.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == [str(n) for n in range(2_000)]


def _project(number):
    return {"id": str(number), "name": f"Culvert {number}", "description": "ā" * 2_000}
