"""The workbooks in `templates/` are those that the schemas make."""

import io
import zipfile
from pathlib import Path

import pytest

from kawe.cases.kinds import KINDS
from kawe.cli.output.next_command import for_everybody
from kawe.schemas.catalog import load_columns
from kawe.workbook.templates.template import template_bytes

TEMPLATES = Path(__file__).parents[2] / "templates"


def parts_of(content: bytes) -> dict[str, bytes]:
    """Give each part unpacked: two builds of zlib may pack the same differently."""
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return {name: package.read(name) for name in package.namelist()}


@pytest.mark.parametrize("kind", KINDS)
def test_a_template_is_what_tools_write_templates_would_write_now(kind):
    there = (TEMPLATES / f"{kind.value}.xlsx").read_bytes()

    made = template_bytes(kind, load_columns(kind), says=for_everybody)
    assert parts_of(there) == parts_of(made)


def test_there_is_no_other_template():
    assert {path.name for path in TEMPLATES.iterdir()} == {
        f"{kind.value}.xlsx" for kind in KINDS
    }
