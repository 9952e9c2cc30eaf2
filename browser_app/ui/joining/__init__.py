"""From the wish to join to the started game."""
