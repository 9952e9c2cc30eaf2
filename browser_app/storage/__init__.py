"""Storage of the user's data: SQLite, settings file, keyring, importers.

Whatever reads the database raises `StorageError` if the file cannot be read.
"""
