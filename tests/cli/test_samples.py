"""Samples come with kawe, and writing them writes over nothing."""

import errno
import os
import zipfile
from pathlib import Path

import pytest

from architecture.house import ROOT, project
from kawe.cli.demo import SAMPLES, write_sample
from kawe.errors import SettingsError

WHY = os.strerror(errno.ENOTDIR)


def _content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "expected.json"
    }


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_written_whole_and_byte_for_byte(name, tmp_path):
    written = write_sample(name, tmp_path / "new" / "folder")
    content = _content(tmp_path / "new" / "folder")
    assert content == _content(ROOT / "samples" / SAMPLES[name])
    assert len(written) == len(content)


def test_the_wheel_has_each_sample_where_kawe_looks_for_it():
    wheel = project()["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"] == {
        f"samples/{place}": f"kawe/samples/{place}" for place in SAMPLES.values()
    }


def test_a_sample_comes_out_of_an_archive(tmp_path):
    with zipfile.ZipFile(tmp_path / "kawe.zip", "w") as archive:
        for path in (ROOT / "samples/good/monthly").rglob("*"):
            archive.write(path, Path("kawe") / path.relative_to(ROOT))
    within = zipfile.Path(tmp_path / "kawe.zip", "kawe/")
    write_sample("monthly", tmp_path / "new", [within])
    assert _content(tmp_path / "new") == _content(ROOT / "samples/good/monthly")


def test_a_kawe_without_samples_says_so(tmp_path):
    with pytest.raises(SettingsError, match="did not come with this kawe"):
        write_sample("monthly", tmp_path, [tmp_path])


def test_no_file_is_written_over(tmp_path):
    (tmp_path / "monthly.xlsx").write_bytes(b"mine")
    write_sample("monthly", tmp_path)
    assert (tmp_path / "monthly.xlsx").read_bytes() == b"mine"
    whole = _content(ROOT / "samples/good/monthly")
    assert _content(tmp_path) == whole | {"monthly.xlsx": b"mine"}


def test_a_person_gets_a_sample_and_what_to_type_next(person_with):
    person = person_with(tokens=1)
    done = person.run("demo", "--samples", "to try")
    again = person.run("demo", "--samples", "to try").stdout.splitlines()
    assert again[0] == "to try/monthly.xlsx is there already, and left as it is"
    (person.folder / "locked").write_bytes(b"")
    both = person.run("demo", "--samples", "x", "-o", "y")
    assert (both.returncode, "With --samples DIR, -o" in both.stderr) == (2, True)
    refused = person.run("demo", "--samples", "locked/within")
    assert (done.returncode, done.stdout) == (
        0,
        (
            "to try/monthly.xlsx\nto try/invitations.xlsx\nto try/projects.xlsx\n"
            "Next: kawe check 'to try/monthly.xlsx'\n"
        ),
    )
    assert refused.returncode == 5
    assert refused.stderr == (
        f"kawe: locked/within/attachments cannot be used: {WHY.lower()}. Make room, or "
        "choose another place, then run the same command again: what was done is in "
        "the journal.\n"
    )
