"""The user as a player: who that is, where the own skill comes from, and what the own rounds tell."""
