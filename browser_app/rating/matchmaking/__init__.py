"""Forecasts and fair teams for rounds to be played."""
