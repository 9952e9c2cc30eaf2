"""Scoring, comparison and fitting of rating systems."""
