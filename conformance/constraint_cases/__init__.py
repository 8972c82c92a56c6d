"""For each constraint, a program that breaks it and one that barely does not; each module has a table `CASES`."""

from .case import Call, Case, all_cases, hbm, psum, sbuf

__all__ = ["Call", "Case", "all_cases", "hbm", "psum", "sbuf"]
