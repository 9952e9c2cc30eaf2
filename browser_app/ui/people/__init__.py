"""Notes, friends, alerts and blocked servers in the window."""
