"""Own skill per game: the game's own, rated, or entered."""

from collections.abc import Callable, Mapping

from browser_app.application.own_skill.skill_preferences import SkillPreferences
from browser_app.application.own_skill.skill_state import OwnSkill
from browser_app.games.game_profile import GameProfile
from browser_app.player.skill_sources import SkillSourceState

MIN_OWN_ROUNDS = 10
"""With fewer own rounds the record does not count, unless a round file contains the in-game skill."""


class OwnSkillResolver:
    """Chooses the user's skill: the number nearest to what servers show is preferred.

    The order is: the game's own current number; the latest one in the record plus the rating changes since; an entered
    number; the record alone, which knows differences between players but not their level. Number and record count only
    in games whose servers report a skill, the record by a system on the same scale: see
    `SkillPreferences.own_skill_config`.
    """

    def __init__(
        self,
        preferences: SkillPreferences,
        games: Mapping[str, GameProfile],
        entered_skill: Callable[[], Mapping[str, float]],
        in_game_skill: Callable[[str], SkillSourceState | None],
    ) -> None:
        """Create a resolver.

        `in_game_skill` returns the state of a source that knows a game's own number.
        """
        self._preferences, self._games = preferences, games
        self._entered_skill, self._in_game_skill = entered_skill, in_game_skill

    def own_skill(self, game: str) -> OwnSkill | None:
        """Return the skill used in a game; None if nothing is known."""
        value = self._entered_skill().get(game)
        entered = None if value is None else OwnSkill(value, "entered")
        if game not in self._games or not self._games[game].reports_skill:
            return entered
        record = self._record_skill(game)
        anchored = record if record is not None and record.source == "anchored" else None
        return self._current_skill(game) or anchored or entered or record

    def own_skill_by_game(self) -> dict[str, float]:
        """Return the skill of every game where it is known."""
        skills = {game: self.own_skill(game) for game in self._games}
        return {game: skill.value for game, skill in skills.items() if skill is not None}

    def _current_skill(self, game: str) -> OwnSkill | None:
        state = self._in_game_skill(game)
        if state is None or state.points is None:
            return None
        return OwnSkill(state.points, "game", state.sd, state.read_at)

    def _record_skill(self, game: str) -> OwnSkill | None:
        own = self._preferences.record_skill(game)
        if own is None or (own.rounds < MIN_OWN_ROUNDS and not own.anchored):
            return None
        return OwnSkill(own.value, "anchored" if own.anchored else "record", own.sd, own.last_round_at)
