"""The page Habits: results by map, team, hour, team mate and rival."""
