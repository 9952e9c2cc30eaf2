"""Own skill per game: typed in, rated, in-game or estimated."""

from collections.abc import Callable, Mapping

from browser_app.application.skill_preferences import SkillPreferences
from browser_app.application.skill_state import OwnSkill
from browser_app.games.game_profile import GameProfile

MIN_OWN_ROUNDS = 10
"""With fewer own rounds the record does not count, not even as a guess."""


class OwnSkillResolver:
    """Chooses the user's skill: typed in, else by a certain record, else the game's own, else by an uncertain record.

    The record counts only in games whose servers report a skill, by a system on the same scale: see
    `SkillPreferences.points_config`.
    """

    def __init__(
        self,
        preferences: SkillPreferences,
        games: Mapping[str, GameProfile],
        typed_skill: Callable[[], Mapping[str, float]],
        in_game_skill: Callable[[str], float | None],
    ) -> None:
        """Create a resolver."""
        self._preferences, self._games = preferences, games
        self._typed_skill, self._in_game_skill = typed_skill, in_game_skill

    def points(self, game: str) -> OwnSkill | None:
        """Return the skill used in a game; None if nothing is known."""
        typed = self._typed_skill().get(game)
        if typed is not None:
            return OwnSkill(typed, "typed")
        if game not in self._games or not self._games[game].reports_skill:
            return None
        own = self._preferences.own_points(game)
        if own is not None and own.rounds < MIN_OWN_ROUNDS:
            own = None
        if own is not None and not own.is_estimate:
            return OwnSkill(own.value, "record")
        in_game = self._in_game_skill(game)
        if in_game is not None:
            return OwnSkill(in_game, "game")
        return None if own is None else OwnSkill(own.value, "guess")

    def points_by_game(self) -> dict[str, float]:
        """Return the skill of every game where it is known."""
        skills = {game: self.points(game) for game in self._games}
        return {game: skill.value for game, skill in skills.items() if skill is not None}
