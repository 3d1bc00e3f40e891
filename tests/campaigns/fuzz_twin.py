"""Ask a running twin everything its published document allows, and more.

schemathesis reads /openapi.json of a twin started for this, and holds every
answer against it: with every check, in every phase, links followed. The run
fails on any finding, and on any 5xx that the twin itself has counted.

    PYTHONPATH=tests .venv/bin/python -m campaigns.fuzz_twin
        (nothing more)                        50 examples per operation, with the
                                              key of a team, then of an iwi
        --examples 3 --seed 7 --account live
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.request import Request, urlopen

from doubles.figures import RUN, Figures, record
from kawe_contract.operations import OPERATIONS
from kawe_twin.serving import RunningTwin, TwinOptions, start_twin

# Where a rule reaches beyond the shape of a body (an order of days, an id of
# something that exists, colours, addresses), a well-formed body may get 400.
# A token may be due as well.
BEYOND_SHAPE: Final = (
    "group_create",
    "group_update",
    "project_assign",
    "project_create",
    "project_respond",
    "project_send",
    "project_update",
    "team_revoke",
    "team_role",
    "upload_complete",
    "user_invite",
)
ALL_PHASES: Final = "examples,coverage,fuzzing,stateful"
# An iwi has no team, so the link from its user to its team leads nowhere.
WITHOUT_LINKS: Final = "examples,coverage,fuzzing"
ACCEPTED: Final = ("2xx", "403", "404", "409")
ACCEPTED_BEYOND: Final = (*ACCEPTED, "400", "402")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one run found."""

    exit_code: int
    operations: int
    requests: int
    by_status: dict[str, int]
    untouched: tuple[str, ...]
    """Operations that were never answered with 2xx."""

    @property
    def is_good(self) -> bool:
        """Tell whether nothing was found, and nothing failed at the twin."""
        failed = any(code.startswith("5") for code in self.by_status)
        return self.exit_code == 0 and not failed


def fuzz(
    *, examples: int, seed: int, account: str = "live", phases: str = ALL_PHASES
) -> Outcome:
    """Run schemathesis against a twin of its own; what it says is printed."""
    folder = Path(tempfile.mkdtemp(prefix="kawe-fuzz-"))
    options = TwinOptions(
        folder=folder / "twin", tokens=1_000_000, rate_limit=10_000_000
    )
    try:
        with start_twin(options) as twin:
            settings = _write_settings(twin, folder=folder, account=account)
            exit_code = _run(
                twin,
                account=account,
                settings=settings,
                more=(
                    f"--max-examples={examples}",
                    f"--seed={seed}",
                    f"--phases={phases if account == 'live' else WITHOUT_LINKS}",
                ),
            )
            requests = _requests(twin)
    finally:
        shutil.rmtree(folder)
    return _outcome(exit_code, requests)


def _run(
    twin: RunningTwin, *, account: str, settings: Path, more: Sequence[str]
) -> int:
    program = Path(sys.executable).with_name("schemathesis")
    ran = subprocess.run(
        [
            program,
            f"--config-file={settings}",
            "run",
            f"{twin.address.api_url}/openapi.json",
            "--checks=all",
            "--generation-database=none",
            "--no-color",
            "--continue-on-failure",
            # A busy machine is no finding; what hangs still is.
            "--request-timeout=60",
            *more,
        ],
        check=False,
        cwd=settings.parent,
        env={
            **os.environ,
            "SCHEMATHESIS_HOOKS": "faults.fuzzing.hooks",
            "PYTHONPATH": str(Path(__file__).resolve().parents[1]),
            "KAWE_FUZZ_KNOWN": json.dumps(_invited(twin, account=account)),
        },
    )
    return ran.returncode


def _write_settings(twin: RunningTwin, *, folder: Path, account: str) -> Path:
    settings = folder / "schemathesis.toml"
    settings.touch(mode=0o600)
    settings.write_text(_settings(twin, account=account), encoding="utf-8")
    return settings


def _settings(twin: RunningTwin, *, account: str) -> str:
    """Write the settings; the key stands here and not among the arguments."""
    key = _key(twin, account=account)
    parts = [
        f'[auth.openapi.key]\nbearer = "{key}"',
        f"[checks.positive_data_acceptance]\nexpected-statuses = {list(ACCEPTED)}",
    ]
    parts += [
        f'[[operations]]\ninclude-operation-id = "{name}"\n'
        "[operations.checks.positive_data_acceptance]\n"
        f"expected-statuses = {list(ACCEPTED_BEYOND)}"
        for name in BEYOND_SHAPE
    ]
    return "\n\n".join(parts) + "\n"


def _key(twin: RunningTwin, *, account: str) -> str:
    return {"live": twin.address.live_key, "iwi": twin.address.iwi_key}[account]


def _invited(twin: RunningTwin, *, account: str) -> dict[str, list[str]]:
    """Invite a few people, so that there are invitations; give the known ids."""
    key = _key(twin, account=account)
    user = _ask(twin, "/user", key=key)
    team_id = (user["teams"] + user["iwi"])[0]["id"]
    people = [
        {"name": "Hēmi", "email": f"{number}@mua.example", "role": "MEMBER"}
        for number in range(20)
    ]
    _ask(twin, "/user/invite/bulk", key=key, body={"invitations": people})
    team = _ask(twin, f"/team/{team_id}", key=key)
    return {
        "team": [team_id],
        "people": [one["id"] for one in team["users"]],
        "invitations": [one["id"] for one in team["invitations"]],
    }


def _ask(twin: RunningTwin, path: str, *, key: str, body: Any = None) -> Any:
    asked = Request(
        twin.address.api_url + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    with urlopen(asked) as answer:
        return json.load(answer)["response_object"]


def _requests(twin: RunningTwin) -> dict[str, dict[str, int]]:
    """Ask the twin itself what it was asked, and how it answered."""
    asked = Request(
        f"{twin.address.api_url}/_twin/state",
        headers={"X-Twin-Secret": twin.address.owner_secret},
    )
    with urlopen(asked) as answer:
        state: dict[str, Any] = json.load(answer)
    requests: dict[str, dict[str, int]] = state["requests"]
    return requests


def _outcome(exit_code: int, requests: dict[str, dict[str, int]]) -> Outcome:
    by_status: Counter[str] = Counter()
    for counts in requests.values():
        by_status.update(counts)
    return Outcome(
        exit_code=exit_code,
        operations=len(set(requests) & set(OPERATIONS)),
        requests=by_status.total(),
        by_status=dict(sorted(by_status.items())),
        untouched=tuple(
            name for name in OPERATIONS if "200" not in requests.get(name, {})
        ),
    )


def say(outcome: Outcome) -> None:
    """Print what was asked and how it was answered."""
    print(f"Operations asked: {outcome.operations} of {len(OPERATIONS)}")
    print(f"Requests that the twin counted: {outcome.requests}")
    for code, count in outcome.by_status.items():
        print(f"  {code}: {count}")
    print("Never answered with 200:", ", ".join(outcome.untouched) or "none")
    print("Nothing found." if outcome.is_good else "SOMETHING WAS FOUND.")


def _write_down(
    outcomes: Sequence[Outcome], *, given: argparse.Namespace, seconds: float
) -> None:
    requests = sum(outcome.requests for outcome in outcomes)
    found = sum(not outcome.is_good for outcome in outcomes)
    operations = max(outcome.operations for outcome in outcomes)
    record(
        Figures(
            campaign="twin",
            what="requests made from the twin's own document, right and wrong ones",
            command=f"{RUN}.fuzz_twin --examples {given.examples} "
            f"--seed {given.seed}{_phases(given.phases)}",
            runs=requests,
            rows=0,
            faults=0,
            lost=0,
            doubled=0,
            to_a_person=0,
            seconds=round(seconds, 1),
            seeds=str(given.seed),
            note=f"{operations} of {len(OPERATIONS)} operations; {found} runs that "
            "found something",
        )
    )


def _phases(phases: str) -> str:
    return "" if phases == ALL_PHASES else f" --phases {phases}"


def main() -> int:
    """Run with each account's key; fail when either found something."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("--examples", type=int, default=50)
    words.add_argument("--seed", type=int, default=20261121)
    words.add_argument("--account", choices=("live", "iwi"), action="append")
    words.add_argument("--phases", default=ALL_PHASES)
    given = words.parse_args()
    began = time.monotonic()
    outcomes = [
        fuzz(
            examples=given.examples,
            seed=given.seed,
            account=account,
            phases=given.phases,
        )
        for account in given.account or ("live", "iwi")
    ]
    for outcome in outcomes:
        say(outcome)
    _write_down(outcomes, given=given, seconds=time.monotonic() - began)
    return 0 if all(outcome.is_good for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
