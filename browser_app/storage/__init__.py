"""What the user has and what was seen: SQLite, settings, secrets."""
