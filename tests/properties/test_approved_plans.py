"""Whatever byte of an approved plan somebody changes, its approval does not count."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubles.journal_values import NOW, PROOF
from doubles.saved import Planner, rows_of, sheet
from kawe.domain.batch.approvals import covered_hash, covered_rows, not_of_plan
from kawe.errors import PlanRefused
from kawe.files.plans import plan_to_text, read_plan_file, sealed, write_plan

PLAN = sealed(Planner().save(sheet(*rows_of(2))))
SIZE_BYTES = len(plan_to_text(PLAN).encode())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Give a folder with the plan as it was approved."""
    folder = tmp_path_factory.mktemp("plan")
    write_plan(PLAN, folder / "plan.json")
    return folder


def _approved(file):
    said = {
        "plan": PLAN.sha256,
        "file": file,
        "salt": PLAN.salt,
        "rows": covered_hash(covered_rows(PLAN)),
        "at": NOW,
    }
    return replace(PROOF.signed, statement=replace(PROOF.signed.statement, **said))


@given(at=st.integers(0, SIZE_BYTES - 1), byte=st.integers(0, 255))
def test_a_plan_with_one_other_byte_is_not_the_approved_one(folder, at, byte):
    saved, file = read_plan_file(folder / "plan.json")
    approved = _approved(file)
    content = bytearray((folder / "plan.json").read_bytes())
    is_same, content[at] = content[at] == byte, byte
    (folder / "changed.json").write_bytes(content)
    assert not_of_plan(approved, saved, file=file) == ""
    try:
        other, file = read_plan_file(folder / "changed.json")
    except PlanRefused:
        assert not is_same
        return
    assert bool(not_of_plan(approved, other, file=file)) is not is_same
