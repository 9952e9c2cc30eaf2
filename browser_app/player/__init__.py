"""The user as a player: identity, sources of the skill, own statistics."""
