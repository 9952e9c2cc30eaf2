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
    """The models and callbacks that the pages use."""

    skill_model: SkillModel
    server_list: ServerListController
    games: Mapping[str, GameProfile]
    ui_state: UiState
    identities: Callable[[], Sequence[Identity]]
    """Returns the user's identities in all games."""
    source_states: Callable[[str], Sequence[SkillSourceState]]
    """Returns the states of a game's sources."""
    open_identities: Callable[[QWidget, str], object]
    open_sources: Callable[[QWidget, str], object]
    """Opens the dialog of identities or of sources over a widget, for a game."""
    open_folders: Callable[[QWidget, str], object]
    open_request_log: Callable[[QWidget, str], object]
    """Opens the dialog at the watched folders or at the request log."""

    @cached_property
    def game_predictor(self) -> "GamePredictor":
        """The predictor of games; created when it is first used."""
        from browser_app.ui.skill.fair_games.game_predictor import GamePredictor

        return GamePredictor(self.skill_model, self.server_list, self._own_name_patterns)

    def _own_name_patterns(self, game: str) -> list[str]:
        """Return the patterns of the user's names in a game."""
        return [each.value for each in self.identities() if each.game == game and each.kind is IdentityKind.NAME]
