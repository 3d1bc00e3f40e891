"""`kawe doctor --settings`: every setting, where it is from, never the key."""

import pytest

from kawe.settings.table import SETTINGS

CANARY = "kw_live_canary-7f3a9c21"
OWN = """base_url = "https://api.example.nz"
key_file = "~/service.key"
mode = "live"
workers = 2
[profile.slow]
workers = 1
[columns.projects]
"Kaupapa" = "description"
[service.paths]
upload_presign = "POST /files"
"""
NEAR = "settle = 900\n"


@pytest.fixture
def person(newcomer):
    newcomer.write_settings(OWN)
    newcomer.write_key(CANARY)
    (newcomer.folder / "kawe.toml").write_text(NEAR, encoding="utf-8")
    return newcomer


def test_every_setting_is_shown_with_where_it_comes_from(person):
    done = person.run("doctor", "--settings", "--profile", "slow")
    own, near = person.settings / "kawe.toml", person.folder / "kawe.toml"
    state = person.home / ".local/state/kawe/slow/api.example.nz-live.journal"
    rows = [line.split(maxsplit=1) for line in done.stdout.splitlines()]
    shown = {row[0]: " ".join(row[1].split()) for row in rows}
    expected = {
        "profile": "slow from --profile",
        "base_url": f"https://api.example.nz from {own}",
        "mode": f"live from {own}",
        "workers": f"1 from {own} [profile.slow]",
        "settle": f"900 from {near}",
        "keep_reserve": "0 from kawe's own value",
        "journal": f"{state} from kawe's own value",
        "team": "not set from kawe's own value",
        "[columns.projects]": f"Kaupapa description from {own}",
        "[service.paths]": f"upload_presign POST /files from {own}",
        "key": f"given, live ({person.home}/service.key, named by {own}) from {own}",
        "Settings": f"files, the nearest last: {own} (read); {near} (read)",
    }
    assert (done.returncode, {name: shown[name] for name in expected}) == (0, expected)


def test_no_setting_is_left_out(person):
    names = {
        each["name"] for each in person.document("doctor", "--settings")["settings"]
    }
    apart = {"key_command", "key_file", "key_store", "columns", "service", "log"}
    assert set(SETTINGS) - apart - names == set()


def test_the_document_says_the_same(person):
    document = person.document("doctor", "--settings")
    found = {each["name"]: each for each in document["settings"]}
    own, near = person.settings / "kawe.toml", person.folder / "kawe.toml"
    assert (
        document["schema"],
        document["files"],
        document["refusal"],
        found["settle"],
        found["team"],
    ) == (
        "kawe.config/1",
        [{"path": str(own), "is_there": True}, {"path": str(near), "is_there": True}],
        None,
        {"name": "settle", "value": "900", "origin": "folder-file", "from": str(near)},
        {
            "name": "team",
            "value": None,
            "origin": "default",
            "from": "kawe's own value",
        },
    )


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_nothing_of_the_key_is_shown(person, words):
    done = person.run("doctor", "--settings", *words)
    said = done.stdout + done.stderr
    assert (done.returncode, CANARY in said, CANARY[-4:] in said) == (0, False, False)


def test_settings_with_which_no_run_could_begin_say_so(newcomer):
    assert "no run could begin: No address" in newcomer.stdout_of(
        "doctor", "--settings"
    )


def test_an_address_of_the_folder_alone_is_pointed_out(newcomer):
    text = 'base_url = "https://elsewhere.example.nz"'
    (newcomer.folder / "kawe.toml").write_text(text, encoding="utf-8")
    newcomer.environment["KAWE_API_KEY"] = CANARY
    assert "not named yourself" in newcomer.run("doctor", "--settings").stdout


def test_settings_that_cannot_be_used_are_code_2(newcomer):
    newcomer.write_settings("wrokers = 3")
    done = newcomer.run("doctor", "--settings")
    assert (done.returncode, "unknown setting 'wrokers'" in done.stderr) == (2, True)
