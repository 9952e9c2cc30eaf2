"""What a bare search word is looked for in."""

from collections.abc import Sequence

from browser_app.catalogue.facts import Facts, PlayerRow


def search_text(facts: Facts, players: Sequence[PlayerRow]) -> str:
    """Name, map, mode, tags and player names in one casefolded text, a line each so that no word spans two."""
    lines = [facts.name, facts.map, facts.mode or "", facts.mode_name or "", *facts.tags]
    if players:
        lines += [player.name for player in players]
    return "\n".join(lines).casefold()
