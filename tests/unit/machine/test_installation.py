"""What a person types for kawe follows from how kawe was installed."""

import os
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from kawe.domain.text.shell import command_line
from kawe.machine.installation import Installation, page_address


def _program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def venv(tmp_path):
    """Give kawe in an environment that is not activated."""
    folder = tmp_path / "my env"
    return Installation(
        python=_program(folder / "bin" / "python"),
        prefix=folder,
        beside=folder / "lib" / "site-packages",
        started_as=_program(folder / "bin" / "kawe"),
        scripts=(folder / "bin",),
        is_users=False,
        is_frozen=False,
        has_pip=True,
        search_path=str(tmp_path / "elsewhere"),
        is_windows=False,
        is_cmd=False,
    )


@pytest.fixture
def archive(venv, tmp_path):
    """Give kawe in one file, as shiv makes it."""
    path = tmp_path / "kawe.pyz"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("__main__.py", "")
    path.chmod(0o755)
    return replace(venv, python=Path("/usr/bin/python3"), started_as=path)


def test_pip_of_this_python_adds_an_extra(venv):
    python = venv.python
    assert venv.to_add("twin") == (
        f"Install it with: '{python}' -m pip install 'kawe[twin]'"
    )
    assert replace(venv, is_users=True).to_add("twin") == (
        f"Install it with: '{python}' -m pip install --user 'kawe[twin]'"
    )
    assert replace(venv, has_pip=False).to_add("twin") == (
        f"Install it with: uv pip install --python '{python}' 'kawe[twin]'"
    )


def test_pipx_adds_an_extra_to_its_own_environment(venv):
    venv.prefix.joinpath("pipx_metadata.json").write_text("{}")
    assert venv.to_add("keyring") == (
        "Install it with: pipx inject 'my env' 'kawe[keyring]'"
    )


@pytest.mark.parametrize(
    ("receipt", "named"),
    [
        (
            (
                '[tool]\nrequirements = [{ name = "x" }, { name = "kawe", '
                'extras = ["twin"], path = "/my wheels/kawe.whl" }]'
            ),
            "'kawe[keyring,twin] @ file:///my%20wheels/kawe.whl'",
        ),
        (
            (
                '[tool]\nrequirements = [{ name = "kawe", '
                'url = "https://me:pass@a.example/k?token=s" }]'
            ),
            "'kawe[keyring] @ https://a.example/k'",
        ),
        ('[tool]\nrequirements = [{ name = "kawe" }]', "'kawe[keyring]'"),
        ("[tool]\nrequirements = 7", "'kawe[keyring]'"),
        ("[tool", "'kawe[keyring]'"),
    ],
)
def test_uv_is_told_where_kawe_came_from_and_which_extras_stay(venv, receipt, named):
    venv.prefix.joinpath("uv-receipt.toml").write_text(receipt)
    assert venv.to_add("keyring") == f"Install it with: uv tool install {named}"


def test_into_one_file_or_a_folder_without_python_nothing_is_installed(venv, archive):
    assert archive.to_add("twin") == (
        "It is not in this kawe, which is one file, and pip puts nothing into that. "
        'Make the file again from "kawe[twin]", or ask whoever made it.'
    )
    assert replace(venv, is_frozen=True).to_add("twin") == (
        "It is not in this kawe, which came with its own Python and takes nothing "
        "more. Ask whoever gave it to you for one with twin."
    )


def test_the_name_kawe_is_typed_where_it_means_this_one(venv, tmp_path):
    other = _program(tmp_path / "other" / "kawe").parent
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "kawe").symlink_to(venv.started_as)
    own = f"'{venv.started_as}'"
    by_module = replace(venv, started_as=venv.beside / "kawe" / "__main__.py")
    assert [
        replace(by, search_path=str(path)).command()
        for by in (venv, by_module)
        for path in (venv.prefix / "bin", linked, other, tmp_path)
    ] == ["kawe", "kawe", own, own] * 2


def test_without_a_program_python_runs_the_package(venv):
    bare = replace(venv, started_as=Path("/x/__main__.py"), scripts=())
    assert bare.command() == f"'{venv.python}' -P -m kawe"


def test_one_file_is_typed_by_its_path_or_its_name(archive, tmp_path):
    named = tmp_path / "bin" / "kawe"
    named.parent.mkdir()
    named.symlink_to(archive.started_as)
    file = str(archive.started_as)
    assert archive.command() == file
    assert replace(archive, search_path=str(named.parent)).command() == "kawe"
    assert archive.program() == ("/usr/bin/python3", file)
    assert replace(archive, is_windows=True).command() == f"/usr/bin/python3 {file}"
    # Another kawe beside the Python that runs the file is another one.
    assert not archive.is_own(str(_program(tmp_path / "usr" / "kawe")))


def test_a_folder_without_python_is_typed_by_its_program(venv):
    frozen = replace(venv, is_frozen=True, python=venv.started_as)
    assert frozen.command() == f"'{venv.started_as}'"


@pytest.mark.skipif(os.name == "nt", reason="its paths are those of POSIX")
@pytest.mark.parametrize("is_one_file", [False, True])
def test_another_process_runs_a_module_of_the_same_kawe(request, is_one_file):
    here = request.getfixturevalue("archive" if is_one_file else "venv")
    words = here.running("kawe.notices.sender")
    assert (words[:2], words[-1]) == ((str(here.python), "-P"), "kawe.notices.sender")
    assert (str(here.beside) in words) is is_one_file


@pytest.mark.parametrize(
    ("words", "is_cmd", "line"),
    [
        (("C:\\kawe\\python.exe", "-m"), False, "C:\\kawe\\python.exe -m"),
        (("C:\\My Kawe\\python.exe", "-m"), True, '"C:\\My Kawe\\python.exe" -m'),
        (("C:\\My Kawe\\python.exe", "-m"), False, '& "C:\\My Kawe\\python.exe" -m'),
        (("pip", "kawe[twin]"), False, 'pip "kawe[twin]"'),
    ],
)
def test_a_program_on_windows_is_quoted_for_the_shell_that_runs(words, is_cmd, line):
    assert command_line(words, is_windows=True, is_cmd=is_cmd) == line


def test_this_kawe_knows_its_place():
    here = Installation.here()
    assert (here.is_archive, here.is_frozen, here.is_users) == (False, False, False)
    assert here.command() == "kawe"


def test_pages_have_the_address_that_the_metadata_states(tmp_path, monkeypatch):
    told = tmp_path / "kawe-9.dist-info" / "METADATA"
    told.parent.mkdir()
    told.write_text(
        "Metadata-Version: 2.4\nName: kawe\nVersion: 9\n"
        "Project-URL: Repository, https://git.kawe.example/kawe\n"
        "Project-URL: Documentation, https://docs.kawe.example\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert page_address("a.md") == "https://docs.kawe.example/a.md"
