"""What stands in the way of a run, looked for before there is one.

Every check is one line for a person: fine, worth a look, or in the way. What is
in the way carries the error that a run would end with, so that the exit code is
the same. Nothing that is asked of the service changes anything.
"""

from kawe.toolkit.doctor.checks import DoctorCheck, Grade, check_of
from kawe.toolkit.doctor.examining import examine
from kawe.toolkit.doctor.machine_checks import machine_checks

__all__ = ["DoctorCheck", "Grade", "check_of", "examine", "machine_checks"]
