"""What the plot shows at one time."""

from dataclasses import dataclass

from browser_app.player.own_history import OwnHistory
from browser_app.ui.skill.over_time.backdrop import Bound
from browser_app.ui.skill.over_time.trace import Trace


@dataclass(frozen=True, slots=True)
class Overlay:
    """A second rating over the first.

    Attributes:
        key: what it was chosen by. title: whose it is, or which system's.
        own_scale: it is of another system, whose units say nothing beside the first's: it has an axis of its own.
    """

    key: str
    title: str
    history: OwnHistory
    trace: Trace
    own_scale: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """A history, its course, where tiers begin, and what is laid over."""

    history: OwnHistory
    trace: Trace
    bounds: tuple[Bound, ...] = ()
    overlay: Overlay | None = None

    @property
    def subject(self) -> tuple[str, str]:
        """Which player's it is, and of which game."""
        return self.history.game, self.history.player

    @property
    def beside(self) -> list[Trace]:
        """All that the left axis is for."""
        same = self.overlay is not None and not self.overlay.own_scale
        return [self.trace, self.overlay.trace] if same and self.overlay is not None else [self.trace]
