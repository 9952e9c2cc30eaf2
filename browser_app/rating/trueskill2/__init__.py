"""TrueSkill 2 (Minka, Cleven, Zaykov, MSR-TR-2018-8), and TrueSkill as its special case."""
