"""What a team is called in the window."""


def team_title(team: str) -> str:
    """Its name with a capital; empty where it has none."""
    return team[:1].upper() + team[1:]
