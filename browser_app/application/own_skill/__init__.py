"""The own skill: its sources, the record behind it, what the user chose."""
