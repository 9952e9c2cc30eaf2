"""The pages of My skill: what they are called, and what makes them. One that is never shown costs nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from browser_app.bridge.skill.shown import Shown
from browser_app.language import later
from browser_app.ui.skill.services import SkillServices
from browser_app.ui.theme import Theme

NOW, OVER_TIME, ROUNDS, HABITS, SYSTEMS, FAIR_GAMES = "now", "over-time", "rounds", "habits", "systems", "fair-games"


class Wanted(NamedTuple):
    """What a page may ask of the view."""

    tell: Callable[[str], object]
    """Say something in the status line."""
    show_round: Callable[[str], object]
    """Show the round with this id, taken apart."""
    show_list: Callable[[], object]
    """Show the game's servers by their distance to the user's skill."""
    open_sources: Callable[[], object]
    """Ask what the skill is to come from."""
    show_server: Callable[[int], object]
    """Show a server among all."""


@dataclass(frozen=True)
class Page:
    """A page that was made: its widget, what shows new data in it, and its own controls in the head."""

    widget: QWidget
    show_data: Callable[[Shown | None], object]
    controls: QWidget | None = None
    show_round: Callable[[str], object] | None = None
    """Bring a round into sight, by its id."""
    show_sources: Callable[[], object] | None = None
    """The sources say something else."""


Make = Callable[[Theme, SkillServices, Wanted], Page]


class PageKind(NamedTuple):
    """What is known of a page before it is made; `alone`: it has something to show without rounds of the user's own."""

    key: str
    icon: str
    title: str
    make: Make
    alone: bool = False


def _now(theme: Theme, services: SkillServices, wanted: Wanted) -> Page:
    from browser_app.ui.skill.now_page import NowPage

    page = NowPage(theme, services)
    page.list_wanted.connect(wanted.show_list)
    page.sources_wanted.connect(wanted.open_sources)
    return Page(page, page.show_data, show_sources=page.show_sources)


def _over_time(theme: Theme, services: SkillServices, wanted: Wanted) -> Page:
    from browser_app.ui.skill.over_time.page import OverTimePage

    page = OverTimePage(theme, services.panel)
    page.told.connect(wanted.tell)
    page.round_wanted.connect(wanted.show_round)
    return Page(page, page.show_data, page.header_controls(), show_sources=page.show_sources)


def _rounds(theme: Theme, services: SkillServices, wanted: Wanted) -> Page:
    from browser_app.ui.skill.rounds.rounds_page import RoundsPage

    page = RoundsPage(theme, services.panel)
    page.told.connect(wanted.tell)
    return Page(page, page.show_data, page.header_controls(), page.show_round)


def _habits(theme: Theme, services: SkillServices, _wanted: Wanted) -> Page:
    from browser_app.ui.skill.habits_page import HabitsPage

    page = HabitsPage(theme, services.panel)
    return Page(page, page.show_data, page.header_controls())


def _systems(theme: Theme, services: SkillServices, wanted: Wanted) -> Page:  # noqa: ARG001 (each is made alike)
    from browser_app.ui.skill.systems.page import SystemsPage

    page = SystemsPage(theme, services.panel)
    return Page(page, page.show_data, page.header_controls())


def _fair(theme: Theme, services: SkillServices, wanted: Wanted) -> Page:
    from browser_app.ui.skill.fair.fair_page import FairPage

    page = FairPage(theme, services)
    page.told.connect(wanted.tell)
    page.server_wanted.connect(wanted.show_server)
    return Page(page, page.show_data)


PAGES: Sequence[PageKind] = (
    PageKind(NOW, "gauge", later("Now"), _now),
    PageKind(OVER_TIME, "line", later("Over time"), _over_time),
    PageKind(ROUNDS, "rows", later("Rounds"), _rounds),
    PageKind(HABITS, "habit", later("Habits"), _habits),
    PageKind(SYSTEMS, "scale", later("Systems"), _systems, alone=True),
    PageKind(FAIR_GAMES, "team", later("Fair games"), _fair, alone=True),
)
