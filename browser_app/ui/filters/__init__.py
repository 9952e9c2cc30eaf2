"""Filter field, filter chips and saved filters."""
