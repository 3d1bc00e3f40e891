"""Settings that somebody else can write are not the person's own."""

import os
from types import SimpleNamespace

import pytest

from doubles.programs import printed_by
from kawe.errors import GuardRefused
from kawe.settings import files
from kawe.settings.keeping import own_address
from kawe.settings.loading import load_settings
from kawe.settings.notifying import load_notify

pytestmark = pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")

as_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0,
    reason="only root gives files to other groups",
)
OTHERS = 54_321
TEXT = 'owner = "Mere"\n[notify]\ncommand = "run-me"\n'


@pytest.fixture
def own(home, tmp_path):
    tmp_path.chmod(0o700)
    for folder in (home, home.parent):
        folder.chmod(0o700)
    path = home / "kawe.toml"
    path.write_text(TEXT, "utf-8")
    path.chmod(0o600)
    return path


def load(folder, environment=None):
    return load_settings({}, environment=environment or {}, folder=folder)


def test_settings_of_one_s_own_are_read(own, tmp_path):
    own.chmod(0o644)
    assert load(tmp_path).owner == "Mere"


@pytest.mark.parametrize("above", [0, 1, 2], ids=["file", "folder", "folder above"])
@pytest.mark.parametrize("mode", [0o702, 0o777])
def test_what_anybody_can_write_is_refused(own, tmp_path, *, above, mode):
    place = [own, *own.parents][above]
    place.chmod(mode)
    with pytest.raises(GuardRefused) as caught:
        load(tmp_path)
    assert (
        "Others can write to the" in str(caught.value),
        f"chmod go-w {place}" in str(caught.value),
        load_notify(command=None, profile=None, environment={}).is_silent,
    ) == (True, True, True)


def test_a_folder_where_nobody_replaces_what_is_another_s_is_no_trouble(own, tmp_path):
    own.parent.parent.chmod(0o1777)
    assert load(tmp_path).owner == "Mere"


def test_where_a_link_leads_is_looked_at_too(own, tmp_path):
    (tmp_path / "shared").mkdir()
    own.symlink_to(own.rename(tmp_path / "shared" / "kawe.toml"))
    before = load(tmp_path).owner
    (tmp_path / "shared").chmod(0o777)
    with pytest.raises(GuardRefused, match="shared"):
        load(tmp_path)
    assert before == "Mere"


def test_a_file_that_the_environment_names_is_looked_at_too(own, tmp_path):
    chosen = tmp_path / "chosen.toml"
    chosen.write_text(TEXT, "utf-8")
    chosen.chmod(0o666)
    environment = {"KAWE_CONFIG": str(chosen)}
    with pytest.raises(GuardRefused, match=r"chosen\.toml"):
        load(tmp_path, environment)
    told = load_notify(command=None, profile=None, environment=environment)
    assert told.command == "run-me"
    assert own.exists()


def test_kawe_init_adds_to_no_settings_of_others(own):
    own.chmod(0o666)
    with pytest.raises(GuardRefused):
        own_address("default")


def test_a_file_beside_workbooks_may_be_shared(own, tmp_path):
    near = tmp_path / "kawe.toml"
    near.write_text("settle = 300", "utf-8")
    near.chmod(0o666)
    assert load(tmp_path).settle_seconds == 300
    assert own.exists()


@as_root
def test_a_group_of_others_counts_as_others(own, tmp_path):
    os.chown(own.parent, -1, OTHERS)
    own.parent.chmod(0o770)
    with pytest.raises(GuardRefused):
        load(tmp_path)


@pytest.mark.parametrize(
    ("name", "members", "gid", "is_own"),
    [
        ("mere", [], OTHERS, True),
        ("mere", ["mere"], OTHERS, True),
        ("mere", ["mere", "hemi"], OTHERS, False),
        ("staff", [], OTHERS, False),
        ("mere", [], 7, False),
    ],
)
def test_a_group_is_one_s_own_by_its_name_and_if_nobody_else_is_in_it(
    name, members, *, gid, is_own
):
    group = SimpleNamespace(gr_gid=gid, gr_name=name, gr_mem=members)
    person = SimpleNamespace(pw_gid=OTHERS, pw_name="mere")
    assert files.is_alone_in(group, person=person) is is_own


@as_root
def test_root_s_group_is_nobody_else(own, tmp_path):
    os.chown(own, -1, 0)
    own.chmod(0o660)
    assert load(tmp_path).owner == "Mere"


def test_what_lies_where_nobody_can_write_is_no_trouble(own):
    """As a container's settings do: everybody may write, on a read-only disk."""
    own.parent.chmod(0o777)
    program = (
        "import os, pathlib, sys, types\n"
        "from kawe.settings.files import refuse_writable\n"
        "os.statvfs = lambda _: types.SimpleNamespace(f_flag=os.ST_RDONLY)\n"
        "refuse_writable(pathlib.Path(sys.argv[1]))\n"
    )
    assert printed_by(program, str(own)) == ""
