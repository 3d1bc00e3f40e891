"""Writes the samples: python tools/write_samples.py [FOLDER].

The samples are documentation that people read and tests that run. Writing
them again changes nothing unless a sample was changed here.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from samples_cases import write_cases
from samples_files import write
from samples_monthly import write_csv, write_monthly
from samples_people import write_invitations
from samples_readme import write_readme
from samples_two_hundred import write_two_hundred

_ROOT: Final = Path(__file__).resolve().parents[1] / "samples"


def main() -> None:
    """Write every sample below the folder that is named, else the project's own."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else _ROOT
    write_monthly(root / "good" / "monthly")
    write_csv(root / "good" / "csv")
    write_invitations(root / "good" / "invitations")
    write_cases(root)
    write_two_hundred(root / "bad" / "200-rows-20-mistakes")
    write_readme(root)
    # A sample is what it is, byte for byte, on every system.
    write(root / ".gitattributes", b"* -text\n")


if __name__ == "__main__":
    main()
