"""Whoever has no terminal gives address and key at the desk."""

from __future__ import annotations

from pathlib import Path

from desk.test_workbooks import sheet
from doubles.command import at_a_twin, csv_row
from doubles.desk import Desk, read


def test_a_key_is_tried_and_kept_and_then_the_service_is_asked(tmp_path):
    with at_a_twin(tmp_path, tokens=3) as person:
        twin = person.twin
        person.environment = {"KAWE_BASE_URL": "", "KAWE_API_KEY": ""}
        url, key = twin.address.api_url, twin.address.live_key
        with Desk(person) as desk:
            checked = desk.put_in("monthly.csv", sheet([csv_row(1)]))
            assert "The service was not asked" in read(checked.text)
            bare = read(desk.get("/settings"))
            set_it = "No address of the service is set. Write it on the page “Settings”"
            assert [set_it in each for each in (read(checked.text), bare)] == [True] * 2
            form = {"base_url": url, "mode": "sandbox", "key": key}
            other = read(desk.post("/settings/keep", **form).text)
            assert "works, and is kept" not in other
            wrong = read(desk.post("/settings/keep", **form | {"key": "a b"}).text)
            assert "That is no key." in wrong
            # The form that was wrong is there, and not a page of its own.
            assert "Another address or key" in wrong
            kept = desk.post("/settings/keep", **form | {"mode": "live"})
            assert "The live key of Kaunihera o Tauira (twin) works" in read(kept.text)
            # What was put in before there was a service is still there.
            assert "monthly.csv" in desk.get("/")
            assert "Tokens: 3 at " in read(desk.post("/settings/test").text)
            sandbox = {"mode": "sandbox", "key": twin.address.sandbox_key}
            other = read(desk.post("/settings/keep", **form | sandbox).text)
            works = "The sandbox key of Kaunihera o Tauira (twin, sandbox) works"
            # Nothing of the account of before is said beside the new one.
            assert (works in other, "Tokens:" in other) == (True, False)
            # Where no field is wrong, none is named, and what was typed stays.
            own = person.folder / "home/config/kawe/kawe.toml"
            own.write_text(own.read_text().replace("mode =", '"mode" ='))
            live = form | {"mode": "live", "team": "Kaunihera o Tauira (twin)"}
            other = desk.post("/settings/keep", **live).text
            assert 'role="alert">Your settings file says something else' in other
            assert ('value="live" checked' in other, "invalid" in other) == (
                True,
                False,
            )
            own.write_text(own.read_text().replace('"mode" =', "mode ="))
            kept = desk.post("/settings/keep", **live)
            tested = desk.post("/settings/test").text
            assert "The key works: LIVE: Kaunihera o Tauira (twin)." in read(tested)
            # Workbooks belong to the journal of one address and mode.
            again = desk.put_in("monthly.csv", sheet([csv_row(1)]))
            assert "LIVE Kaunihera o Tauira (twin)" in read(again.text)
            assert "The service was not asked" not in read(again.text)
            asked_not = desk.post(f"{desk.place(again)}/sheet", offline="yes")
            assert "You wanted a check without it." in read(asked_not.text)
            assert [key in each.text for each in (kept, again)] == [False, False]
        logs = (person.folder / "home/state/kawe/log").glob("*")
        assert [path for path in logs if key in path.read_text("utf-8")] == []


def test_a_workbook_of_before_the_service_was_set_up_at_a_terminal_is_there(tmp_path):
    with at_a_twin(tmp_path) as person:
        address = person.twin.address
        person.environment = {"KAWE_BASE_URL": "", "KAWE_API_KEY": ""}
        with Desk(person) as desk:
            place = desk.place(desk.put_in("monthly.csv", sheet([csv_row(1)])))
            key = person.folder / "key"
            key.write_text(address.live_key)
            key.chmod(0o600)
            given = "--base-url", address.api_url, "--key-file", str(key)
            assert person.run("init", "--no-input", *given).returncode == 0
            there = desk.get(place)
            assert "monthly.csv" in desk.get("/")
    assert "How it is to be read" in there


def test_an_address_of_the_folder_alone_is_to_be_written_on_the_page(tmp_path):
    with at_a_twin(tmp_path) as person:
        text = f'base_url = "{person.twin.address.api_url}"\n'
        (person.folder / "kawe.toml").write_text(text)
        person.environment = {"KAWE_BASE_URL": ""}
        with Desk(person) as desk:
            said = desk.get("/settings")
    hint = "If it is the right one, write it on the page “Settings”."
    assert (hint in said, "KAWE_BASE_URL" in said) == (True, False)


def test_settings_say_by_which_ways_people_are_told_and_no_address(tmp_path):
    with at_a_twin(tmp_path) as person:
        with Desk(person) as desk:
            assert "Who is told of runs nobody: whoever" in desk.get("/settings")
        person.environment["KAWE_NOTIFY"] = "mailto://mere:secret@x.nz json://x.nz/t"
        with Desk(person) as desk:
            said = desk.get("/settings")
    assert "Who is told of runs mailto, json" in said
    assert [e for e in ("mere", "secret", "x.nz") if e in said] == []


def test_a_keyring_that_is_locked_is_to_be_unlocked_and_the_key_given_again(tmp_path):
    with at_a_twin(tmp_path) as person:
        person.environment = {
            "PYTHON_KEYRING_BACKEND": "doubles.keyrings.LockedKeyring",
            "PYTHONPATH": str(Path(__file__).parents[1]),
            "KAWE_TEST_KEYRING": str(tmp_path / "keyring"),
        }
        address = person.twin.address
        form = {"base_url": address.api_url, "mode": "live", "key": address.live_key}
        with Desk(person) as desk:
            said = read(desk.post("/settings/keep", **form).text)
    assert (
        "it may be locked. Unlock it. Do the same again, or keep the key in a file "
        "with the command “kawe init --store file”"
    ) in said


def test_where_the_service_is_away_each_page_says_so_and_is_tried_again(tmp_path):
    with at_a_twin(tmp_path, tokens=3) as person, Desk(person) as desk:
        twin = person.twin
        form = {"base_url": twin.address.api_url, "mode": "live"}
        kept = desk.post("/settings/keep", key=twin.address.live_key, **form)
        first = "But here the key is taken from KAWE_API_KEY, which comes first."
        assert first in read(kept.text)
        place = desk.place(desk.put_in("monthly.csv", sheet([csv_row(1)])))
        page = desk.post(f"{place}/plan", sends="all")
        desk.agree(page, f"{place}/submit", typed="1")
        twin.stop()
        pages = {
            "/settings/test": ("Test the key", {}),
            "/year/ask": ("Look for answers", {"what": "receipts"}),
            f"{place}/sheet": ("Try again", {}),
            f"{place}/plan": ("Make the plan", {"sends": "all"}),
            "/queue/count": ("Go back", {"most": ""}),
        }
        for path, (button, form) in pages.items():
            said = read(desk.post(path, **form).text)
            assert "cannot be reached" in said, path
            assert "whoever gave you its address starts it." in said
            assert [e for e in ("kawe serve", "port ") if e in said] == []
            assert button in said
            assert said.startswith("Error: ")
        back = desk.settled("/job").text
        assert f'href="{desk.door}/queue/release">Go back' in back
        assert "No row waits for tokens." in desk.get("/queue/release")
