"""The steps that a new user is shown above the server list."""
