"""The page *Rounds*: every round of mine in a table, each with its change taken apart."""
