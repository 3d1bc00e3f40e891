"""Files are there whole or not at all, and folders are their owner's alone."""

import errno
import os
import stat

import pytest

from doubles.programs import printed_by
from kawe.durable import make_folder, replacing, sweep, sync_folder

posix = pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")


def rights(path):
    return oct(stat.S_IMODE(path.stat().st_mode))


def long_ago(path):
    os.utime(path, (0, 0))


def test_nothing_has_the_name_before_the_block_ends(tmp_path):
    path = tmp_path / "x"

    with replacing(path) as file:
        file.write(b"half")
        during = path.exists()

    assert (during, path.read_bytes(), list(tmp_path.iterdir())) == (
        False,
        b"half",
        [path],
    )


@posix
def test_only_the_person_can_read_it_before_and_after(tmp_path):
    path = tmp_path / "x"

    with replacing(path) as file:
        temporary = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        file.write(b"x")

    assert (oct(temporary), rights(path)) == ("0o600", "0o600")


@posix
def test_other_rights_are_given_before_the_name_is(tmp_path):
    with replacing(tmp_path / "x", rights=0o640) as file:
        file.write(b"x")

    assert rights(tmp_path / "x") == "0o640"


@pytest.mark.parametrize("ends", [KeyboardInterrupt, OSError, SystemExit])
def test_whatever_ends_the_block_nothing_is_left_behind(tmp_path, ends):
    path = tmp_path / "x"
    path.write_bytes(b"old")

    def half():
        with replacing(path) as file:
            file.write(b"half")
            raise ends

    with pytest.raises(ends):
        half()

    assert (path.read_bytes(), list(tmp_path.iterdir())) == (b"old", [path])


@posix
def test_a_pipe_or_a_device_stays_what_it_is(tmp_path):
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)

    for path in (pipe, link, tmp_path):
        with pytest.raises(FileExistsError), replacing(path):
            pass

    assert (pipe.is_fifo(), link.is_symlink()) == (True, True)


@posix
def test_the_file_is_synced_before_it_has_its_name_and_the_folder_after(tmp_path):
    program = (
        "import os, pathlib, stat, sys\n"
        "path, inner = pathlib.Path(sys.argv[1]), os.fsync\n"
        "def fsync(handle):\n"
        "    is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)\n"
        "    print('folder' if is_folder else 'file', path.exists())\n"
        "os.fsync = fsync\n"
        "from kawe.durable import replacing\n"
        "with replacing(path) as file:\n"
        "    file.write(b'x')\n"
    )
    printed = printed_by(program, str(tmp_path / "x"))
    assert printed.splitlines() == ["file False", "folder True"]


@posix
@pytest.mark.parametrize("fault", [errno.EINVAL, errno.ENOTSUP, errno.EROFS])
def test_a_folder_that_knows_no_sync_is_no_trouble(tmp_path, fault):
    def refusing(_handle):
        raise OSError(fault, os.strerror(fault))

    sync_folder(tmp_path, sync=refusing)


@posix
def test_a_folder_that_the_disk_does_not_keep_is_an_os_error(tmp_path):
    def failing(_handle):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with pytest.raises(OSError, match="Input/output"):
        sync_folder(tmp_path, sync=failing)


def test_leftovers_are_swept_once_nothing_was_written_to_them_for_long(tmp_path):
    names = [".kawe-a.tmp", ".kawe-b.part", ".kawe-young.tmp", ".kawe-notes.txt", "x"]
    for name in names:
        (tmp_path / name).write_text("x")
    for name in (*names[:2], *names[3:]):
        long_ago(tmp_path / name)

    sweep(tmp_path)

    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(names[2:])


def test_a_link_that_is_called_like_a_leftover_leads_no_sweep_elsewhere(tmp_path):
    (tmp_path / "own").write_text("x")
    (tmp_path / ".kawe-a.tmp").symlink_to(tmp_path / "own")

    sweep(tmp_path, after_seconds=0)

    assert [each.name for each in tmp_path.iterdir()] == ["own"]


@posix
@pytest.mark.parametrize("umask", ["000", "002", "022", "077"])
def test_every_missing_folder_is_its_owners_alone_whatever_the_umask(tmp_path, umask):
    (tmp_path / "there").mkdir()
    (tmp_path / "there").chmod(0o755)
    program = (
        f"import os, pathlib, sys; os.umask(0o{umask}); "
        "from kawe.durable import make_folder; make_folder(pathlib.Path(sys.argv[1]))"
    )
    wanted = tmp_path / "there" / "a" / "b" / "c"

    printed_by(program, str(wanted))

    made = [wanted, wanted.parent, wanted.parent.parent, tmp_path / "there"]
    assert [rights(each) for each in made] == ["0o700", "0o700", "0o700", "0o755"]


def test_a_folder_that_is_there_is_left_as_it_is(tmp_path):
    tmp_path.chmod(0o750)
    make_folder(tmp_path)
    assert tmp_path.is_dir()


def test_a_file_in_the_way_of_a_folder_is_an_os_error(tmp_path):
    (tmp_path / "x").touch()
    with pytest.raises(FileExistsError):
        make_folder(tmp_path / "x")
    with pytest.raises(NotADirectoryError):
        make_folder(tmp_path / "x" / "y")
