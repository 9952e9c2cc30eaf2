"""The page Leaderboard: the record's players by rating."""
