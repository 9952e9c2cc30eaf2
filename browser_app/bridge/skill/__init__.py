"""Qt objects behind My Skill: round imports, skill services, ratings."""
