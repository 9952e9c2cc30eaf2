"""Qt objects behind My Skill: imports, services and ratings."""
