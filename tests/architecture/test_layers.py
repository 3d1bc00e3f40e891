"""Imports go down only, and each library lives in one room."""

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from architecture.house import BESIDE, ROOT, project, source, tops_imported

# The journal and the twin each keep their own data, and share no code.
_AT_HOME_TWICE = {"sqlite3"}


def test_every_contract_of_the_import_linter_is_kept():
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_room_has_a_floor():
    floors = next(c for c in _contracts() if c["id"] == "floors")
    placed = {room.strip() for layer in floors["layers"] for room in layer.split("|")}
    rooms = {module.room for module in source()} - {"__init__", *BESIDE}
    # In brackets: what only a build has.
    assert {each for each in placed if not each.startswith("(")} == rooms
    assert floors["exhaustive"]


def test_each_third_party_library_lives_in_one_room_beside_the_twin():
    # The twin shares no code with the rest, so it may use what the rest uses.
    rooms = defaultdict(set)
    for library, room in _libraries():
        if room != "kawe_twin":
            rooms[library].add(room)
    assert {library: found for library, found in rooms.items() if len(found) > 1} == {}


def test_the_linter_protects_every_library_that_is_imported():
    protected = {
        module for c in _contracts() for module in c.get("protected_modules", [])
    }
    used = {library for library, _ in _libraries()}
    assert used | _AT_HOME_TWICE | {"kawe_twin"} == protected


def test_domain_and_flows_use_the_standard_library_alone():
    guests = {library for library, room in _libraries() if room in {"domain", "flows"}}
    assert guests == set()


def _contracts():
    return project()["tool"]["importlinter"]["contracts"]


def _libraries():
    for module in source():
        for top in tops_imported(module.tree):
            if top not in {"kawe", *BESIDE, *sys.stdlib_module_names}:
                yield top, module.room
