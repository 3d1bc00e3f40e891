"""Each building is used alone, in ten lines, in a process of its own."""

import subprocess
import sys

import pytest
from openpyxl import Workbook, load_workbook

from architecture.house import BESIDE, ROOT, modules_in, tops_imported

ALONE = {
    "kawe_contract": {
        "says": "PUT /projects/{id}/send",
        "code": """
from kawe_contract.operations import OPERATIONS
send = OPERATIONS["project_send"]
print(send.method, send.path)
""",
    },
    "kawe_places": {
        "says": "-41.28664 174.77557",
        "code": """
from kawe_places import GivenPlace, PyprojPlaces
given = GivenPlace(latitude="41.28664 S", longitude="174.77557 E")
[found] = PyprojPlaces().locate([given])
print(found.place.latitude, found.place.longitude)
""",
    },
    "kawe_twin": {
        "says": "200 []",
        "code": """
import urllib.request
from pathlib import Path
from kawe_twin import TwinOptions, start_twin
with start_twin(TwinOptions(folder=Path("twin"))) as twin:
    head = {"Authorization": f"Bearer {twin.address.live_key}"}
    asked = urllib.request.Request(f"{twin.address.api_url}/projects", headers=head)
    with urllib.request.urlopen(asked) as answer:
        print(answer.status, twin.sends_by_project())
""",
    },
    "kawe_xlsx": {
        "says": "Jobs 2",
        "code": """
from pathlib import Path
from kawe_xlsx import Package, read_manifest, scan_sheet
package = Package(Path("ours.xlsx").read_bytes(), name="ours.xlsx")
for sheet in read_manifest(package).sheets:
    print(sheet.name, scan_sheet(package, sheet).tally.last_row)
""",
    },
}
PATCH = """
from pathlib import Path
from kawe_xlsx import CellStyle, Look, Original, RowEdit, Shape, patched_book
from kawe_xlsx import text_cell
book = Original(data=Path("ours.xlsx").read_bytes(), name="ours.xlsx", sheet="Jobs",
    heading_row=1, headings=("Name",), columns=(1,), keys=(1,))
look = Look(cells=(CellStyle(name="said"),), tints=frozenset(), heading="said")
with open("theirs.xlsx", "w+b") as file:
    with patched_book(file, book, look=look, widths={"Done": 12}) as patched:
        with patched.rows({"Done": "Done"}, printed=None) as rows:
            rows.write(2, RowEdit(cells={patched.columns["Done"]: text_cell("yes", 0)}))
        with patched.page(Shape(title="Sum", widths=(9,)), number=1) as page:
            page.line(("1 of 1", "said"))
"""


def _run(code, folder):
    """Run `code` where kawe itself cannot be imported."""
    barred = f"import sys; sys.modules['kawe'] = None; sys.path.append({SOURCE!r})\n"
    done = subprocess.run(
        [sys.executable, "-P", "-c", barred + code],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


SOURCE = str(ROOT / "src")


@pytest.fixture
def folder(tmp_path):
    book = Workbook()
    book.active.title = "Jobs"
    book.active.append(["Name"])
    book.active.append(["Kauri Bridge"])
    book.save(tmp_path / "ours.xlsx")
    return tmp_path


@pytest.mark.parametrize("building", BESIDE)
def test_a_building_is_used_alone_in_ten_lines(building, folder):
    alone = ALONE[building]
    assert _run(alone["code"], folder) == alone["says"]


def test_a_workbook_is_given_back_with_a_column_and_a_sheet_more(folder):
    assert _run(PATCH, folder) == ""
    sheet = load_workbook(folder / "theirs.xlsx")["Jobs"]
    assert [*sheet.values] == [("Name", "Done"), ("Kauri Bridge", "yes")]
    assert [*load_workbook(folder / "theirs.xlsx")["Sum"].values] == [("1 of 1",)]


@pytest.mark.parametrize("building", BESIDE)
def test_a_building_imports_its_own_and_what_is_drawn(building):
    drawn = {building, "kawe_contract"} if building == "kawe_twin" else {building}
    found = set()
    for module in modules_in(f"src/{building}"):
        found |= tops_imported(module.tree) & {"kawe", *BESIDE}
    assert found <= drawn


@pytest.mark.parametrize("building", BESIDE)
def test_the_tests_of_a_building_import_nothing_of_kawe(building):
    found = {
        module.name
        for module in modules_in(f"tests/{building.removeprefix('kawe_')}")
        if "kawe" in tops_imported(module.tree)
    }
    assert found == set()
