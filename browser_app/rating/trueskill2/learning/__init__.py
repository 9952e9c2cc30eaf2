"""Parameters of TrueSkill 2 from a record."""
