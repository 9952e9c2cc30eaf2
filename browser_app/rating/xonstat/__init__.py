"""Rating systems of stats.xonotic.org."""
