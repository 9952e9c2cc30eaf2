"""Forecasts and fair teams for upcoming rounds."""
