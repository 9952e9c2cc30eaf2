"""Own skill per game: typed in, rated, in-game or estimated."""

from collections.abc import Callable, Mapping

from browser_app.application.skill_preferences import SkillPreferences
from browser_app.application.skill_state import OwnSkill
from browser_app.games.game_profile import GameProfile

MIN_OWN_ROUNDS = 10
"""With fewer rounds of one's own the list does not go by them, not even for a guess."""


class OwnSkillResolver:
    """What the user typed in goes first; then the own record, unless it is a guess; then the game's own; then a guess.

    A record counts only where servers report a skill, by a system that is on their scale: see `SkillModel`.
    """

    def __init__(
        self,
        preferences: SkillPreferences,
        games: Mapping[str, GameProfile],
        typed_skill: Callable[[], Mapping[str, float]],
        in_game_skill: Callable[[str], float | None],
    ) -> None:
        """`typed_skill`: the skills that the user typed in, by game; `in_game_skill`: the number that a game itself
        has.
        """
        self._preferences, self._games, self._typed_skill, self._in_game_skill = (
            preferences,
            games,
            typed_skill,
            in_game_skill,
        )

    def points(self, game: str) -> OwnSkill | None:
        """What the list uses for a game; None: nothing is known."""
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
        told = self._in_game_skill(game)
        if told is not None:
            return OwnSkill(told, "game")
        return None if own is None else OwnSkill(own.value, "guess")

    def points_by_game(self) -> dict[str, float]:
        """By game, of those where something is known."""
        found = {game: self.points(game) for game in self._games}
        return {game: points.value for game, points in found.items() if points is not None}
