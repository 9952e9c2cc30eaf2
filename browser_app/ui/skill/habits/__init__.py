"""The page Habits: results by map, team, hour, teammate and opponent."""
