"""The user's lists about servers and players."""
