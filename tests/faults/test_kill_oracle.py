"""What judges the kills sees what is wrong: one wrong thing at a time."""

import json

import pytest

from faults.kills.checks import Files, Seen
from faults.kills.workload import workload

WANTED = workload(1)


def _state():
    """Give the twin's state after a batch went well."""
    projects = [
        {
            "id": each.reference,
            "reference": each.reference,
            "sends": int(each.is_sent),
            "tokens_spent": int(each.is_sent),
            "receipts": int(each.is_sent),
        }
        for each in WANTED.projects
    ]
    documents = [
        {"project_id": each.reference, "state": "READY", "name": name}
        for each in WANTED.projects
        for name in each.files
    ]
    return {
        "projects": projects,
        "documents": documents,
        "invitations": [{"email": email} for email in WANTED.emails],
        "organisations": [{"name": WANTED.organisation}],
    }


def _said(state):
    seen = Seen.of(state, wanted=WANTED)
    return [*seen.doubled(), *seen.lost(WANTED)]


def test_a_batch_that_went_well_is_complained_of_by_nobody():
    assert _said(_state()) == []


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("projects", "B1-0 has 2 projects"),
        ("invitations", "p0.b1@example.org.nz was invited 2 times"),
        ("organisations", "the organisation is there 2 times"),
    ],
)
def test_what_is_there_twice_is_named(kind, words):
    state = _state()
    state[kind].append(state[kind][0])
    assert _said(state) == [words]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("projects", "B1-0 has no project"),
        ("documents", "B1-2 has the files []"),
        ("invitations", "p0.b1@example.org.nz was not invited"),
        ("organisations", "the organisation is not there"),
    ],
)
def test_what_is_missing_is_named(kind, words):
    state = _state()
    del state[kind][0]
    assert _said(state) == [words]


@pytest.mark.parametrize("sends", [0, 2])
def test_a_send_that_is_missing_or_there_twice_is_named(sends):
    state = _state()
    state["projects"][0]["sends"] = sends
    assert f"B1-0 was sent {sends} times" in " ".join(_said(state))


def _files(folder):
    papers = folder / "papers"
    papers.mkdir()
    return Files(folder=folder, papers=papers, rows={"projects": 2})


def test_a_result_with_fewer_rows_than_its_workbook_is_named(tmp_path):
    document = {"rows": [{"outcome": "sent"}], "counts": {"sent": 1}}
    path = tmp_path / "projects.result.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    said = ["projects.result.json says {'sent': 1}, of 2 rows"]
    assert list(_files(tmp_path).broken()) == said


def test_half_a_receipt_is_named(tmp_path):
    files = _files(tmp_path)
    (files.papers / "KR-1.pdf").write_bytes(b"%PDF-1.4 half")
    assert list(files.broken()) == ["KR-1.pdf is not whole"]


def test_a_receipt_that_the_list_does_not_know_is_named(tmp_path):
    files = _files(tmp_path)
    (files.papers / "manifest-sha256.txt").write_text("", encoding="utf-8")
    (files.papers / "KR-1.pdf").write_bytes(b"%PDF-1.4 %%EOF")
    said = ["KR-1.pdf is not as the list of the export says"]
    assert list(files.unlisted()) == said
