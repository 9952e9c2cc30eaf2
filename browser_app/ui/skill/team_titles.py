"""What a team is called in the window."""


def team_title(team: str) -> str:
    """Its name with a capital; empty where it has none."""
    return team[:1].upper() + team[1:]


def numbered_title(team: str, place: int) -> str:
    """The same; `#1`, `#2` for a team without a name, by its place (0, 1)."""
    return team_title(team) or f"#{place + 1}"
