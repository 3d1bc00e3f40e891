"""The samples are what tools/write_samples.py writes, and writing repeats itself."""

import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat
from pypdf import PdfReader

from samples.expecting import SAMPLES

WRITER = SAMPLES.parent / "tools" / "write_samples.py"


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """Give a folder of freshly written samples."""
    folder = tmp_path_factory.mktemp("written")
    subprocess.run([sys.executable, WRITER, folder], check=True, timeout=120)
    return folder


def _files(folder):
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file()
    }


def _content(data: bytes, name: str) -> object:
    """Give what a file says, beside how a library of this version packed it."""
    if data.startswith(b"PK") and zipfile.is_zipfile(BytesIO(data)):
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return {each: archive.read(each) for each in archive.namelist()}
    if name.endswith(".pdf") and data.startswith(b"%PDF"):
        reader = PdfReader(BytesIO(data))
        return reader.metadata, [page.extract_text() for page in reader.pages]
    return data


def _looks_alike(one: Path, other: Path) -> bool:
    with Image.open(one) as first, Image.open(other) as second:
        if first.size != second.size or first.format != second.format:
            return False
        apart = ImageChops.difference(first.convert("RGB"), second.convert("RGB"))
        return max(ImageStat.Stat(apart).mean) < 1


def test_the_samples_are_those_that_are_written(written):
    assert _files(written) == _files(SAMPLES)


def test_every_sample_says_what_is_written(written):
    pictures = {".png", ".jpg"}
    differing = [
        name
        for name in sorted(_files(written) & _files(SAMPLES))
        if Path(name).suffix not in pictures
        and _content((written / name).read_bytes(), name)
        != _content((SAMPLES / name).read_bytes(), name)
    ]
    assert differing == []


def test_every_picture_looks_as_it_is_painted(written):
    pictures = [
        name
        for name in sorted(_files(written) & _files(SAMPLES))
        if Path(name).suffix in {".png", ".jpg"}
    ]
    differing = [
        name for name in pictures if not _looks_alike(written / name, SAMPLES / name)
    ]
    assert (differing, len(pictures)) == ([], 6)
