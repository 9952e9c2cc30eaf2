"""Teeworlds and DDNet: the query protocols of versions 0.6 and 0.7."""
