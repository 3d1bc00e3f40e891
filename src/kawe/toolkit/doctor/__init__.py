"""Checks before a run; they change nothing.

Each is one line for a person: fine, doubtful, or trouble. Trouble has the error
that a run would end with, so that the exit code is the same.
"""

from kawe.toolkit.doctor.checks import DoctorCheck, Grade, check_of
from kawe.toolkit.doctor.examining import examine
from kawe.toolkit.doctor.machine_checks import machine_checks

__all__ = ["DoctorCheck", "Grade", "check_of", "examine", "machine_checks"]
