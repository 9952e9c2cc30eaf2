"""Play Now, joining, waiting for a slot and started games."""
