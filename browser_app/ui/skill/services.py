"""What the view *My skill* works with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from browser_app.bridge.live_list import LiveList
from browser_app.bridge.skill.panel import SkillPanel
from browser_app.games.profile import GameProfile
from browser_app.player.identities import Identity, IdentityKind
from browser_app.player.sources import SourceState
from browser_app.storage.kept import Kept

if TYPE_CHECKING:
    from browser_app.ui.skill.fair.outlooks import Outlooks


@dataclass(frozen=True)
class SkillServices:
    """The parts below the view, and what it has them do."""

    panel: SkillPanel
    live: LiveList
    games: Mapping[str, GameProfile]
    kept: Kept
    identities: Callable[[], Sequence[Identity]]
    """Who the user is, in all games."""
    sources: Callable[[str], Sequence[SourceState]]
    """How the sources of a game stand."""
    open_who: Callable[[QWidget, str], object]
    open_sources: Callable[[QWidget, str], object]
    """Ask the user who they are, or what the skill is to come from: over this widget, of this game."""
    open_folders: Callable[[QWidget, str], object]
    open_log: Callable[[QWidget, str], object]
    """The same with the watched folders, or with what was asked of whom."""

    @cached_property
    def outlooks(self) -> "Outlooks":
        """What the servers' games would be for the user; made when it is first wanted."""
        from browser_app.ui.skill.fair.outlooks import Outlooks

        return Outlooks(self.panel, self.live, self._names)

    def _names(self, game: str) -> list[str]:
        """What the user is called in a game: patterns of names."""
        return [each.value for each in self.identities() if each.game == game and each.kind is IdentityKind.NAME]
