"""Storage of the user's data: SQLite, settings file, keyring, importers."""
