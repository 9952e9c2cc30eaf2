"""How a game is started: an argv or a URL, validated."""
