"""Inference of one round in TrueSkill 2."""
