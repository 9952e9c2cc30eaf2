"""Documents that list servers."""
