"""The user's stored choices and counts of My Skill."""

import hashlib
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from browser_app.games.game_profile import DEFAULT_RATING_SYSTEM, GameProfile
from browser_app.rating_worker.rating_jobs import OwnRoundCount, RecordSkill
from browser_app.rating_worker.worker_job import RecordLocation, SystemConfig
from browser_app.storage.ui_state import UiState

if TYPE_CHECKING:
    from browser_app.rating.rating_parameters import ParameterSet

_log = logging.getLogger(__name__)

_RECORD_SKILL_VERSION = 2
"""Raised whenever the same rounds would give another skill, so that a stored one is computed again."""

_GAME_KEY, _SYSTEMS_KEY, _FULL_HISTORY_KEY, _PARAMETERS_KEY, _OWN_ROUNDS_KEY, _RECORD_SKILL_KEY = (
    f"skill.{name}" for name in ("game", "systems", "full_history", "parameters", "mine", "points")
)


def rating_system_names() -> tuple[str, ...]:
    """Return the names of all rating systems, in the order they are listed."""
    from browser_app.rating.system_registry import RATING_SYSTEMS  # takes 0.1 s, which a start must not spend

    return tuple(RATING_SYSTEMS)


def has_full_history(system: str) -> bool:
    """Return whether a rating system can rate a whole record at once."""
    from browser_app.rating.system_registry import RATING_SYSTEMS

    return RATING_SYSTEMS[system].has_full_history


class SkillPreferences:
    """Reads and writes choices.

    Unreadable values, as of another version of the program, count as absent.
    """

    def __init__(self, ui_state: UiState, games: Mapping[str, GameProfile]) -> None:
        self._ui_state, self._games = ui_state, games

    @property
    def game(self) -> str | None:
        """Id of the chosen game, None before a choice; "" for rounds of an unknown game."""
        game = self._ui_state.get(_GAME_KEY)
        return game if isinstance(game, str) else None

    def set_game(self, game: str) -> None:
        """Save the chosen game."""
        self._ui_state.set(_GAME_KEY, game)

    def system(self, game: str) -> str:
        """Return the rating system of a game: the chosen one, else the profile's."""
        name = self._table(_SYSTEMS_KEY).get(game)
        if isinstance(name, str) and name in rating_system_names():
            return name
        return self._games[game].rating_system if game in self._games else DEFAULT_RATING_SYSTEM

    def set_system(self, game: str, name: str) -> None:
        """Save the chosen system."""
        self._save_entry(_SYSTEMS_KEY, game, name)

    def full_history(self, game: str) -> bool:
        """Return whether a game is rated with the hindsight of all rounds.

        This is a choice where a system has such ratings.
        """
        return self._table(_FULL_HISTORY_KEY).get(game) is True

    def set_full_history(self, game: str, chosen: bool) -> None:
        """Save whether ratings are those of the full history."""
        self._save_entry(_FULL_HISTORY_KEY, game, chosen)

    def parameters(self, game: str, system: str) -> "ParameterSet":
        """Return the chosen parameters of a system in a game, else its defaults."""
        from browser_app.rating.rating_errors import ParameterError
        from browser_app.rating.rating_parameters import resolve_parameters
        from browser_app.rating.system_registry import RATING_SYSTEMS

        declared = RATING_SYSTEMS[system].declared_parameters
        file = self._sub_table(_PARAMETERS_KEY, game).get(system)
        if isinstance(file, dict):
            try:
                return resolve_parameters(declared, file=file)
            except ParameterError as error:
                _log.info("Stored parameters of %s in %s are ignored: %s", system, game, error)
        return resolve_parameters(declared)

    def set_parameters(self, game: str, system: str, parameters: "ParameterSet | None") -> None:
        """Save parameters; None restores the defaults."""
        files = {name: file for name, file in self._sub_table(_PARAMETERS_KEY, game).items() if name != system}
        if parameters is not None:
            files[system] = parameters.to_file_content(system)
        self._save_entry(_PARAMETERS_KEY, game, files)

    def config(self, game: str, system: str | None = None) -> SystemConfig:
        """Return a system, by default the game's, as chosen for the pages of My Skill."""
        name = self.system(game) if system is None else system
        return SystemConfig(name, self.parameters(game, name), self.full_history(game) and has_full_history(name))

    def own_round_count(self, game: str) -> int | None:
        """Return the number of rounds with the user at the last count.

        None if never counted.
        """
        match self._table(_OWN_ROUNDS_KEY).get(game):
            case [int() as count, str()]:
                return count
            case _:
                return None

    def own_skill_config(self, game: str) -> SystemConfig | None:
        """Return the system on the scale of the game's servers, round by round.

        None if these report no skill.
        """
        profile = self._games.get(game)
        if profile is None or not profile.reports_skill:
            return None
        return SystemConfig(profile.rating_system, self.parameters(game, profile.rating_system))

    def is_counted(self, location: RecordLocation) -> bool:
        """Return whether count and skill belong to these rounds of this user."""
        counted = self._table(_OWN_ROUNDS_KEY).get(location.game)
        return isinstance(counted, list) and counted[1:] == [self._count_fingerprint(location)]

    def set_own_round_count(self, location: RecordLocation, count: int) -> None:
        """Save the count; the skill belongs to the same rounds."""
        self._save_entry(_OWN_ROUNDS_KEY, location.game, [count, self._count_fingerprint(location)])

    def record_skill(self, game: str) -> RecordSkill | None:
        """Return the user's skill by the own record, on the servers' scale."""
        match self._table(_RECORD_SKILL_KEY).get(game):
            case [float() | int() as value, int() as rounds, bool() as anchored, sd, last]:
                return RecordSkill(float(value), rounds, anchored, _number_or_none(sd), _number_or_none(last))
            case _:
                return None

    def set_record_skill(self, game: str, skill: RecordSkill | None) -> None:
        """Save the skill; None if unknown."""
        self._save_entry(_RECORD_SKILL_KEY, game, None if skill is None else list(skill))

    def save_count(self, location: RecordLocation, count: OwnRoundCount) -> None:
        """Save the number of own rounds.

        Where the game's servers report a skill, the user's is saved, too.
        """
        self.set_own_round_count(location, count.own_rounds)
        if self.own_skill_config(location.game) is not None:
            self.set_record_skill(location.game, count.record_skill)

    def _table(self, key: str) -> Mapping[str, Any]:
        table = self._ui_state.get(key)
        return table if isinstance(table, dict) else {}

    def _sub_table(self, key: str, game: str) -> Mapping[str, Any]:
        table = self._table(key).get(game)
        return table if isinstance(table, dict) else {}

    def _save_entry(self, key: str, game: str, value: Any) -> None:
        self._ui_state.set(key, {**self._table(key), game: value})

    def _count_fingerprint(self, location: RecordLocation) -> str:
        inputs = (_RECORD_SKILL_VERSION, location.stamp, location.identities, self.own_skill_config(location.game))
        return hashlib.sha256(repr(inputs).encode()).hexdigest()[:16]


def _number_or_none(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
