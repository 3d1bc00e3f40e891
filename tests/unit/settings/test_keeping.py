"""A key that kawe keeps: with its address, for its owner alone, in no message."""

import signal
import subprocess
import sys

import keyring.backends.fail
import keyring.backends.null
import pytest

from doubles.keyrings import ForgetfulKeyring, LockedKeyring, WeakKeyring
from doubles.programs import printed_by
from kawe.domain.text.next_steps import Next
from kawe.errors import GuardRefused, KeyMissing, SettingsError
from kawe.settings.keeping import (
    KeptKey,
    KeyPlace,
    keep_key,
    kept_key,
    key_path,
    keyring_name,
)

CANARY = "kw_live_canary-7f3a9c21"
KEPT = KeptKey(base_url="https://api.example.nz", key=CANARY)


@pytest.fixture(autouse=True)
def _surroundings(home, with_keyring):
    assert home.is_dir()
    with_keyring()


def test_a_key_comes_back_from_the_keyring_with_its_address():
    keep_key(KEPT, profile="test", place=KeyPlace.KEYRING)
    assert kept_key("test", place=KeyPlace.KEYRING) == KEPT


def test_a_second_key_takes_the_place_of_the_first_in_a_file_for_its_owner():
    keep_key(KEPT, profile="test", place=KeyPlace.FILE)
    other = KeptKey(base_url=KEPT.base_url, key="kw_live_other")
    keep_key(other, profile="test", place=KeyPlace.FILE)
    path = key_path("test")
    assert (
        kept_key("test", place=KeyPlace.FILE),
        f"{path.stat().st_mode:o}",
        f"{path.parent.stat().st_mode:o}",
        [each.name for each in path.parent.iterdir()],
    ) == (other, "100600", "40700", ["test.json"])


def keep_elsewhere(key, *, at_fsync):
    """Keep a key in another process, which does something when it would sync it."""
    program = (
        "import os, signal, sys\n"
        "from kawe.settings.keeping import KeptKey, KeyPlace, keep_key\n"
        "def fsync(_handle):\n"
        f"    {at_fsync}\n"
        "os.fsync = fsync\n"
        "kept = KeptKey(base_url='https://api.example.nz', key=sys.argv[1])\n"
        "keep_key(kept, profile='test', place=KeyPlace.FILE)\n"
    )
    command = [sys.executable, "-c", program, key]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def test_a_stop_while_a_key_is_written_leaves_no_key_behind():
    keep_key(KEPT, profile="test", place=KeyPlace.FILE)
    stopped = keep_elsewhere("kw_live_other", at_fsync="raise KeyboardInterrupt")
    folder = key_path("test").parent
    assert (
        "KeyboardInterrupt" in stopped.stderr,
        kept_key("test", place=KeyPlace.FILE),
        [each.name for each in folder.iterdir()],
    ) == (True, KEPT, ["test.json"])


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals of POSIX")
def test_a_key_that_a_killed_kawe_left_half_kept_goes_with_the_next():
    """The first process is killed with the whole key in its temporary file."""
    killed = keep_elsewhere(CANARY, at_fsync="os.kill(os.getpid(), signal.SIGKILL)")
    folder = key_path("test").parent
    left = [CANARY in each.read_text("utf-8") for each in folder.iterdir()]

    keep_key(
        KeptKey(base_url=KEPT.base_url, key="kw_live_other"),
        profile="other",
        place=KeyPlace.FILE,
    )

    assert (killed.returncode, left, [each.name for each in folder.iterdir()]) == (
        -signal.SIGKILL,
        [True],
        ["other.json"],
    )


def test_a_profile_s_name_cannot_lead_elsewhere():
    assert key_path("../../etc/x").parent == key_path("default").parent


def test_a_file_that_others_can_read_is_refused():
    keep_key(KEPT, profile="test", place=KeyPlace.FILE)
    key_path("test").chmod(0o640)
    with pytest.raises(GuardRefused, match="chmod 600"):
        kept_key("test", place=KeyPlace.FILE)


@pytest.mark.parametrize("place", KeyPlace)
def test_a_key_that_was_never_kept_is_missed(place):
    with pytest.raises(KeyMissing):
        kept_key("test", place=place)


@pytest.mark.parametrize(
    "text", [CANARY, f'["{CANARY}"]', f'{{"key": "{CANARY}"}}', f'"{CANARY}', "7"]
)
def test_what_is_kept_in_another_form_is_refused_and_not_shown(text):
    keep_key(KEPT, profile="test", place=KeyPlace.FILE)
    key_path("test").write_text(text, "utf-8")
    with pytest.raises(KeyMissing) as caught:
        kept_key("test", place=KeyPlace.FILE)
    shown = f"{caught.value!r}{caught.value.__cause__!r}"
    assert (f"{Next.INIT}" in str(caught.value), CANARY in shown) == (True, False)


@pytest.mark.parametrize("kind", [LockedKeyring, ForgetfulKeyring])
def test_a_keyring_that_keeps_nothing_is_noticed_and_shows_nothing(with_keyring, kind):
    with_keyring(kind)
    with pytest.raises(SettingsError, match="did not keep") as caught:
        keep_key(KEPT, profile="test", place=KeyPlace.KEYRING)
    assert CANARY not in f"{caught.value!r}{caught.value.__context__!r}"


def test_a_locked_keyring_says_what_to_do_under_a_scheduler(with_keyring):
    with_keyring(LockedKeyring)
    with pytest.raises(KeyMissing, match=f"{Next.STORE_FILE}"):
        kept_key("test", place=KeyPlace.KEYRING)


@pytest.mark.parametrize(
    "kind", [keyring.backends.fail.Keyring, keyring.backends.null.Keyring, WeakKeyring]
)
def test_a_keyring_that_is_not_safe_is_none(with_keyring, kind):
    with_keyring(kind)
    assert keyring_name() is None
    with pytest.raises(SettingsError, match="no keyring"):
        keep_key(KEPT, profile="test", place=KeyPlace.KEYRING)


def test_the_keyring_is_named():
    assert keyring_name() == "Test Keyring"


def test_without_the_library_there_is_no_keyring():
    code = (
        "import importlib.util\n"
        "real = importlib.util.find_spec\n"
        "importlib.util.find_spec = "
        "lambda name, *more: None if name == 'keyring' else real(name, *more)\n"
        "from kawe.settings.keeping import keyring_name\n"
        "print(keyring_name())"
    )
    assert printed_by(code) == "None\n"


def test_a_kept_key_is_in_no_printed_form():
    assert CANARY not in f"{KEPT}{KEPT!r}"
