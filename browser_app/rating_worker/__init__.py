"""Child process that rates records: its jobs, cache and messages."""
