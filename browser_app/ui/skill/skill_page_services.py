"""The services that the My Skill pages work with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from browser_app.bridge.server_list_controller import ServerListController
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.games.game_profile import GameProfile
from browser_app.player.player_identities import Identity, IdentityKind
from browser_app.player.skill_sources import SkillSourceState
from browser_app.storage.ui_state import UiState

if TYPE_CHECKING:
    from browser_app.ui.skill.fair_games.game_predictor import GamePredictor


@dataclass(frozen=True)
class SkillServices:
    """The parts below the view, and what it has them do."""

    skill_model: SkillModel
    server_list: ServerListController
    games: Mapping[str, GameProfile]
    ui_state: UiState
    identities: Callable[[], Sequence[Identity]]
    """Who the user is, in all games."""
    source_states: Callable[[str], Sequence[SkillSourceState]]
    """How the sources of a game stand."""
    open_identities: Callable[[QWidget, str], object]
    open_sources: Callable[[QWidget, str], object]
    """Ask the user who they are, or what the skill is to come from: over this widget, of this game."""
    open_folders: Callable[[QWidget, str], object]
    open_request_log: Callable[[QWidget, str], object]
    """The same with the watched folders, or with what was asked of whom."""

    @cached_property
    def game_predictor(self) -> "GamePredictor":
        """What the servers' games would be for the user; made when it is first wanted."""
        from browser_app.ui.skill.fair_games.game_predictor import GamePredictor

        return GamePredictor(self.skill_model, self.server_list, self._own_name_patterns)

    def _own_name_patterns(self, game: str) -> list[str]:
        """What the user is called in a game: patterns of names."""
        return [each.value for each in self.identities() if each.game == game and each.kind is IdentityKind.NAME]
