"""OpenTTD: the game information of a server over TCP, and the game coordinator's list."""
