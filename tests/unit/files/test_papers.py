"""A folder of papers: what is listed is there, and what is there is never lost."""

import asyncio
import hashlib

import pytest

from doubles.loops import awaited
from kawe.domain.service.papers import FileFinding, FileTrouble
from kawe.errors import ContractBroken, ResultNotWritable
from kawe.files.papers import ListedFolder, PaperPlace

PAPER = b"%PDF-1.4 one %%EOF\n"


async def _chunks(data):
    yield data[:3]
    yield data[3:]


@awaited
async def _save(folder, *papers):
    """Save papers at the same time, as an export does."""
    listed = ListedFolder(PaperPlace.plain(folder))
    listed.take_stock()
    return await asyncio.gather(
        *(
            listed.save(name, _chunks(data), starts_with=b"%PDF")
            for name, data in papers
        )
    )


def _stock(folder):
    return {
        name: None if each.finding is None else each.finding.trouble
        for name, each in ListedFolder(PaperPlace.plain(folder)).take_stock().items()
    }


def _line(data, name):
    return f"{hashlib.sha256(data).hexdigest()}  {name}\n"


def test_papers_are_listed_as_they_come_so_that_a_killed_run_goes_on(tmp_path):
    # No run has come to its end, where the list is written too.
    _save(tmp_path, *((f"{n}.pdf", PAPER + b"%d" % n) for n in range(60)))
    listed = _stock(tmp_path)
    assert (len(listed) >= 50, set(listed.values())) == (True, {None})
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(
        ["manifest-sha256.txt", *(f"{n}.pdf" for n in range(60))]
    )


def test_a_file_that_no_list_names_is_kept_aside_and_not_replaced(tmp_path):
    (tmp_path / "own.pdf").write_bytes(b"mine")
    (tmp_path / "same.pdf").write_bytes(PAPER)
    own, same = _save(tmp_path, ("own.pdf", PAPER), ("same.pdf", PAPER))
    kept = f"altered/own {hashlib.sha256(b'mine').hexdigest()[:8]}.pdf"
    assert (own.finding, same.finding) == (
        FileFinding(
            file="own.pdf",
            trouble=FileTrouble.ALTERED,
            what=f"the altered file is kept as {kept}",
        ),
        None,
    )
    assert (tmp_path / kept).read_bytes() == b"mine"


def test_a_link_in_the_place_of_a_paper_is_moved_and_not_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.write_bytes(PAPER)
    folder = tmp_path / "papers"
    _save(folder, ("one.pdf", PAPER))
    (folder / "manifest-sha256.txt").write_text(_line(PAPER, "one.pdf"))
    (folder / "one.pdf").unlink()
    (folder / "one.pdf").symlink_to(outside)
    assert _stock(folder) == {"one.pdf": FileTrouble.ALTERED}
    assert ((folder / "one.pdf").exists(), outside.read_bytes()) == (False, PAPER)


def test_a_list_that_was_edited_names_nothing_outside_its_folder(tmp_path):
    (tmp_path / "secret.pdf").write_bytes(PAPER)
    folder = tmp_path / "papers"
    folder.mkdir()
    names = ("../secret.pdf", str(tmp_path / "secret.pdf"), "..", "CON", "a\\b.pdf")
    text = "".join(_line(PAPER, name) for name in names) + _line(PAPER, "gone.pdf")
    (folder / "manifest-sha256.txt").write_text(text, encoding="utf-8")
    assert _stock(folder) == {"gone.pdf": FileTrouble.MISSING}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"<html>Please sign in.</html>", "something that is no PDF"),
        (b"%PDF-1.4 one", "whose end is missing"),
        (b"%PDF %%EOF" + b" " * 2000, "whose end is missing"),
        (b"", "something that is no PDF"),
    ],
)
def test_what_is_no_whole_pdf_is_not_saved(tmp_path, data, says):
    with pytest.raises(ContractBroken, match=says):
        _save(tmp_path, ("one.pdf", data))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("steps", range(5))
async def test_a_run_that_is_stopped_while_papers_reach_the_disk_ends(tmp_path, steps):
    listed = ListedFolder(PaperPlace.plain(tmp_path))
    saving = asyncio.create_task(
        listed.save("one.pdf", _chunks(PAPER), starts_with=b"%PDF")
    )
    for _ in range(steps):
        turn = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_soon(turn.set_result, None)
        await turn
    for each in asyncio.all_tasks() - {asyncio.current_task()}:
        each.cancel()
    # The disk may have been quicker than the stop.
    ended, _ = await asyncio.wait([saving], timeout=60)
    assert [each.cancelled() or each.exception() is None for each in ended] == [True]
    assert not list(tmp_path.glob(".kawe-*"))


def test_a_folder_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ResultNotWritable, match="cannot be written"):
        _save(tmp_path / "file" / "papers", ("one.pdf", PAPER))
