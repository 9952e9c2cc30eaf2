"""How a checkout is prepared, run and tested, with the standard library alone."""
