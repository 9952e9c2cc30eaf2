"""Which skill the list goes by in each game, and why it is this one."""

from collections.abc import Callable, Mapping

from browser_app.bridge.skill.preferences import Preferences
from browser_app.bridge.skill.shown import Points
from browser_app.games.profile import GameProfile

LEAST_ROUNDS = 10
"""With fewer rounds of one's own the list does not go by them, not even for a guess."""


class ListPoints:
    """What the user typed in goes first; then the own record, unless it is a guess; then the game's own; then a guess.

    A record counts only where servers report a skill, by a system that is on their scale: see `SkillPanel`.
    """

    def __init__(
        self,
        preferences: Preferences,
        games: Mapping[str, GameProfile],
        typed: Callable[[], Mapping[str, float]],
        games_own: Callable[[str], float | None],
    ) -> None:
        """`typed`: the skills that the user typed in, by game; `games_own`: the number that a game itself has."""
        self._preferences, self._games, self._typed, self._games_own = preferences, games, typed, games_own

    def of(self, game: str) -> Points | None:
        """What the list uses for a game; None: nothing is known."""
        typed = self._typed().get(game)
        if typed is not None:
            return Points(typed, "typed")
        if game not in self._games or not self._games[game].reports_skill:
            return None
        own = self._preferences.own_points(game)
        if own is not None and own.rounds < LEAST_ROUNDS:
            own = None
        if own is not None and not own.guess:
            return Points(own.value, "record")
        told = self._games_own(game)
        if told is not None:
            return Points(told, "game")
        return None if own is None else Points(own.value, "guess")

    def all(self) -> dict[str, float]:
        """By game, of those where something is known."""
        found = {game: self.of(game) for game in self._games}
        return {game: points.value for game, points in found.items() if points is not None}
