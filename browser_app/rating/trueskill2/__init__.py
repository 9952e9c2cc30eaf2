"""TrueSkill 2 (MSR-TR-2018-8) and TrueSkill.

The paper's "match" is a round here.
"""
