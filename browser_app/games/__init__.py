"""Game profiles, read from `resources/games/*.toml`."""
