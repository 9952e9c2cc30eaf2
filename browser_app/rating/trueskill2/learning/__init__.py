"""Fitting of the parameters of TrueSkill 2."""
