"""Whose approval counts: what the settings can say, and what they cannot."""

import pytest

from kawe.domain.batch.approvals import Approvers
from kawe.errors import GuardRefused, KeyMissing, SettingsError
from kawe.settings.approvers import (
    ApprovalKey,
    approval_key_path,
    keep_approval_key,
    kept_approval_key,
)
from kawe.settings.loading import load_settings

ONE, TWO = (f"ed25519:{letter * 43}=" for letter in "AE")
KEYS = f'[approvers.keys]\n"Aroha Ngata" = "{ONE}"\nHemi = "{TWO}"\n'


@pytest.fixture
def load(tmp_path, home):
    def load(text):
        (home / "kawe.toml").write_text(text, "utf-8")
        return load_settings({}, environment={}, folder=tmp_path).approvers

    return load


def test_names_and_keys_are_read_and_limits_have_defaults(load):
    pinned = ("Aroha Ngata", ONE[8:]), ("Hemi", TWO[8:])
    more = "require = 2\nwithin_hours = 72\nallow_own = true\nallow_same_user = true\n"
    assert [load(""), load(KEYS), load(f"[approvers]\n{more}{KEYS}")] == [
        None,
        Approvers(keys=pinned),
        Approvers(
            keys=pinned,
            require=2,
            within_hours=72,
            allow_own=True,
            allow_same_user=True,
        ),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("approvers = {}", "require is 1, and there are 0 keys in [approvers.keys]"),
        (f"[approvers]\nrequire = 3\n{KEYS}", "require is 3, and there are 2 keys"),
        (f"[approvers]\nrequire = 0\n{KEYS}", "require is 0, and there are 2 keys"),
        (f"[approvers]\nrequire = true\n{KEYS}", "require has a value of a wrong"),
        (f"[approvers]\nallow_own = 1\n{KEYS}", "allow_own has a value of a wrong"),
        (f"[approvers]\nwithin_hours = nan\n{KEYS}", "within_hours is between 0 and"),
        (f"[approvers]\nwithin_hours = 0\n{KEYS}", "within_hours is between 0 and"),
        (f"[approvers]\nmany = 1\n{KEYS}", "[approvers] cannot hold 'many'."),
        ('approvers = "Aroha"', "approvers has a value of a wrong kind"),
        ('[approvers.keys]\nHemi = "x"', "'Hemi' has no public key."),
        ("[approvers.keys]\nHemi = 1", "'Hemi' has no public key."),
        (f'{KEYS}Rangi = "{ONE}"', "'Rangi' is no name, or its key stands there twice"),
        (f'[approvers.keys]\n"…" = "{ONE}"', "is no name, or its key stands there"),
    ],
)
def test_what_cannot_be_meant_is_refused(load, text, said):
    with pytest.raises(SettingsError) as caught:
        load(text)
    assert said in str(caught.value)


def test_the_own_key_is_kept_for_its_owner_alone(home):
    del home
    key = ApprovalKey(public_key=ONE[8:], pem="-----BEGIN")
    before, path = kept_approval_key(), keep_approval_key(key)
    assert (
        before,
        kept_approval_key(),
        path == approval_key_path(),
        path.stat().st_mode & 0o777,
        "BEGIN" in repr(key),
    ) == (None, key, True, 0o600, False)
    path.chmod(0o640)
    with pytest.raises(GuardRefused, match="Others can read the key file"):
        kept_approval_key()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"public_key": 1}'])
def test_a_key_file_that_kawe_did_not_write_is_refused(home, text):
    del home
    keep_approval_key(ApprovalKey(public_key=ONE[8:], pem="")).write_text(text)
    with pytest.raises(KeyMissing, match="is not what kawe kept"):
        kept_approval_key()
