"""The page Over time: the rating with its uncertainty as a plot."""
