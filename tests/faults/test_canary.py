"""The key appears in no byte that is written anywhere, whatever goes wrong.

`tests/campaigns/canary.py` is the long version.
"""

import base64
import json
import random
import zipfile
from contextlib import nullcontext

import pytest

from doubles.canary import Hunt
from doubles.canary_runs import SHORT, a_month, go_through
from doubles.failing_disk import commands, why_not
from kawe_twin.serving import TwinOptions, start_twin

KEY = "kawe_live_M94DVzGB2n3n5eMe2D7IoDmbS0OizvIx"


@pytest.mark.short_campaign
def test_no_key_is_in_any_byte_that_a_month_of_kawe_wrote(tmp_path):
    options = TwinOptions(folder=tmp_path / "twin", tokens=3, rate_limit=1_000_000)
    recording = nullcontext() if why_not() else commands(tmp_path / "born")
    with start_twin(options) as twin, recording as born:
        month = a_month(tmp_path / "person", twin=twin, born=born, hunt=Hunt())
        go_through(month, chance=random.Random(1), size=SHORT)
    sends = [each["sends"] for each in month.projects]
    assert (month.hunt.found, month.complaints, max(sends)) == ([], [], 1)
    # All of it took place: what is not written cannot be found.
    assert {0, 1, 2, 4, 7} <= set(month.codes)
    assert month.hunt.bytes_read > 1_000_000


def _zipped(data, tmp_path):
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"<c>" + data + b"</c>")
    return path.read_bytes()


@pytest.mark.parametrize(
    "form",
    [
        str.encode,
        lambda key: key[:22].encode(),
        lambda key: key[-11:].encode(),
        lambda key: key.encode("utf-16"),
        lambda key: base64.b64encode(f"Bearer {key}".encode()),
        lambda key: base64.urlsafe_b64encode(f"x{key}".encode()),
        lambda key: base64.b64encode(f"xy{key}".encode()),
        lambda key: "".join(f"%{ord(each):02X}" for each in key).encode(),
        lambda key: "".join(f"\\u{ord(each):04x}" for each in key).encode(),
        lambda key: json.dumps(json.dumps({"k": key})).encode(),
        lambda key: key.encode().hex().encode(),
        lambda key: key[::-1].encode(),
    ],
)
def test_a_key_is_found_in_any_form_and_in_a_workbook(form, tmp_path):
    hunt = Hunt()
    hunt.watch(KEY)
    data = b"before " + form(KEY) + b" after"
    hunt.look("plain", data)
    hunt.look("workbook", _zipped(data, tmp_path))
    hunt.look("nothing", b"kawe_live_ and nothing else")
    assert hunt.found == ["plain", "workbook"]


def test_a_key_in_the_name_of_a_file_is_found(tmp_path):
    (tmp_path / KEY).touch()
    hunt = Hunt()
    hunt.watch(KEY)
    hunt.look_below(tmp_path)
    assert hunt.found == [f"the name of {tmp_path / KEY}"]
