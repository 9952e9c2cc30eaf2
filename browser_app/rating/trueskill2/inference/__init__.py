"""One match's inference: pure functions from what was known of its players to what is known after it."""
