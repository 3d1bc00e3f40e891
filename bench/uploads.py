"""How near the files of a submit come to curl, which uploads the same ones.

    python bench/uploads.py            1,000 files of 200 kB, each way three times
    python bench/uploads.py 200        as many
    python bench/uploads.py --tiny     two, each way once

The twin runs in a process of its own. curl makes the three requests of each upload,
eight at a time: it asks for the grant, posts the form (`curl -F`), and says that the
file is complete. kawe makes drafts of as many rows, once with a file in each row and
once without; the difference counts. It also looks for each file, hashes it twice, and
writes into its journal what became of it. Of three times, the shortest counts.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from downloads import AT_ONCE, BODY, Twin, asked, kawe, serving

FILE_BYTES = 200_000
COLUMNS = {
    "Name": "name",
    "Description": "description",
    "Type": "type",
    "Start date": "start_date",
    "End date": "end_date",
    "Respond by": "respond_by_date",
    "Address": "address",
    "Latitude": "latitude",
    "Longitude": "longitude",
}


def write_rows(path: Path, files: Sequence[Path | None], *, turn: str) -> None:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["Reference", *COLUMNS, "Files"])
        for number, each in enumerate(files):
            said = {**BODY, "name": f"Papa {turn} {number:05d}"}
            values = [said[name] for name in COLUMNS.values()]
            lines.writerow([f"{turn}-{number}", *values, each and each.name])


def by_kawe(workbook: Path, twin: Twin) -> float:
    words = ["submit", str(workbook), "--drafts-only", "--accept", "repeats"]
    words += ["--yes", "0", "--no-input"]
    begun = time.perf_counter()
    kawe(*words, home=workbook.parent / "home", twin=twin)
    return time.perf_counter() - begun


def curl(folder: Path, requests: Sequence[str]) -> tuple[float, list[str]]:
    """Make some requests, and give the seconds and what each answered."""
    answers = [folder / f"answer-{number}" for number in range(len(requests))]
    asked = folder / "requests"
    asked.write_text(
        "\nnext\n".join(
            f'{each}\noutput = "{answer}"'
            for each, answer in zip(requests, answers, strict=True)
        )
    )
    words = ["curl", "-sf", "--no-progress-meter", "--parallel", "--parallel-max"]
    begun = time.perf_counter()
    subprocess.run([*words, str(AT_ONCE), "-K", asked], check=True)
    took = time.perf_counter() - begun
    said = [each.read_text() if each.exists() else "" for each in answers]
    for each in answers:
        each.unlink(missing_ok=True)
    return took, said


def posting(twin: Twin, path: str, body: object) -> str:
    """Say in curl's words to post a body to the service."""
    return "\n".join(
        (
            f'url = "{twin.url}{path}"',
            f'header = "Authorization: Bearer {twin.key}"',
            'header = "Content-Type: application/json"',
            f"data = {json.dumps(json.dumps(body))}",
        )
    )


def by_curl(folder: Path, files: Sequence[Path], twin: Twin) -> float:
    begins = [
        posting(
            twin,
            "/upload/presign",
            {
                "fileName": each.name,
                "mimeType": "application/pdf",
                "size": FILE_BYTES,
                "category": "document",
            },
        )
        for each in files
    ]
    first, said = curl(folder, begins)
    grants = [json.loads(each)["response_object"] for each in said]
    forms = []
    for grant, file in zip(grants, files, strict=True):
        fields = [f'form-string = "{k}={v}"' for k, v in grant["fields"].items()]
        forms.append(
            "\n".join(
                (
                    f'url = "{grant["url"]}"',
                    *fields,
                    f'form = "file=@{file};type=application/pdf"',
                )
            )
        )
    second, _ = curl(folder, forms)
    ends = [
        posting(twin, "/upload/complete", {"documentId": grant["documentId"]})
        for grant in grants
    ]
    third, _ = curl(folder, ends)
    return first + second + third


def main() -> None:
    many, times = asked(many=1_000, least=2)
    with tempfile.TemporaryDirectory(prefix="kawe-bench-") as name:
        place = Path(name)
        files = [place / f"{number}.pdf" for number in range(many)]
        head, end = b"%PDF-1.7\n", b"\n%%EOF\n"
        for each in files:
            each.write_bytes(head + os.urandom(FILE_BYTES - 16) + end)
        with serving(place / "twin") as twin:
            alone, own = [], []
            for turn in range(times):
                alone.append(by_curl(place, files, twin))
                took = []
                for kind, given in (("without", [None] * many), ("with", files)):
                    workbook = place / f"{kind}-{turn}.csv"
                    write_rows(workbook, given, turn=f"{kind} {turn}")
                    took.append(by_kawe(workbook, twin))
                own.append(took[1] - took[0])
    for who, took in (("curl", min(alone)), ("kawe", min(own))):
        print(f"  {who} {took:8.2f} s {many / took:8.0f} files a second")
    print(f"  ratio {min(alone) / min(own):.2f} (aim 0.5)")


if __name__ == "__main__":
    main()
