"""The view My Skill: the user's rating, its history and what it is used for."""
