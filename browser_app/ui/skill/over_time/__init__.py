"""The page *Over time*: a rating's course with its doubt, every round of it, and what there is beside it."""
