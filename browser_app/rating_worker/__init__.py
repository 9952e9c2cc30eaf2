"""Child process that rates records, with its jobs and its cache."""
