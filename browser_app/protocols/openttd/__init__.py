"""OpenTTD: a server's game information, and the game coordinator's list."""
