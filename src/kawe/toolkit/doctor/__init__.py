"""What stands in the way of a run, looked for before there is one.

Every sign is one line for a person: fine, worth a look, or in the way. What is
in the way carries the error that a run would end with, so that the exit code is
the same. Nothing that is asked of the service changes anything.
"""

from kawe.toolkit.doctor.examining import examine
from kawe.toolkit.doctor.machine_signs import machine_signs
from kawe.toolkit.doctor.signs import Grade, Sign, sign_of

__all__ = ["Grade", "Sign", "examine", "machine_signs", "sign_of"]
