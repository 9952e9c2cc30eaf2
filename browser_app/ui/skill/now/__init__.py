"""The page Now: the current rating and what it consists of."""
