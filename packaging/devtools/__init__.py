"""Set-up, checks and tests of a checkout; uses the standard library alone."""
