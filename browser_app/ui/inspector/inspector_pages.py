"""The table of inspector pages and their factories."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from browser_app.catalogue.server_info import ServerInfo
from browser_app.language import N_
from browser_app.ranking.score_explanation import ScoreExplanation
from browser_app.ui.inspector.notes_page import NotesPage
from browser_app.ui.inspector.players_page import PlayersPage
from browser_app.ui.inspector.rules_page import RulesPage
from browser_app.ui.inspector.score_page import ScorePage
from browser_app.ui.inspector.server_history_page import ServerHistoryPage
from browser_app.ui.widgets.theme import Theme

SCORE_PAGE, PLAYERS_PAGE, RULES_PAGE, HISTORY_PAGE, NOTES_PAGE = "score", "players", "rules", "history", "notes"

INSPECTOR_WIDTH = 304
_MAX_TEXT_WIDTH = 560
"""Keeps lines short enough to read: a value stays close to its name."""
NO_MAX_WIDTH = 16_777_215
"""Qt's QWIDGETSIZE_MAX."""


@dataclass(frozen=True, slots=True)
class ServerDetails:
    """What the pages show of the selected server."""

    explanation: ScoreExplanation
    rank: int | None
    """By score, from 1; None if the server is not ranked."""
    ranked_count: int
    best_score: float | None
    info: ServerInfo | None
    """The last answer, None if there was none."""
    is_querying: bool
    """A new answer is on its way."""
    team_names: Mapping[int, str]
    """Untranslated names of the protocol's team numbers."""
    forecast_text: str


class InspectorPage(NamedTuple):
    """A created page; without `show_details`, a controller of its own fills it."""

    widget: QWidget
    show_details: Callable[[ServerDetails], object] | None = None


class InspectorPageSpec(NamedTuple):
    """Declaration of a page; the maximum width (px) holds while the inspector is below the table."""

    key: str
    title: str
    create: Callable[[Theme], InspectorPage]
    max_width: int = _MAX_TEXT_WIDTH


def _create_score_page(theme: Theme) -> InspectorPage:
    page = ScorePage(theme)
    return InspectorPage(
        page,
        lambda details: page.show_explanation(
            details.explanation, details.rank, details.ranked_count, details.best_score, details.forecast_text
        ),
    )


def _create_players_page(theme: Theme) -> InspectorPage:
    page = PlayersPage(theme)
    return InspectorPage(
        page,
        lambda details: page.show_players(details.info, asking=details.is_querying, team_names=details.team_names),
    )


def _create_rules_page(theme: Theme) -> InspectorPage:
    page = RulesPage(theme)
    return InspectorPage(page, lambda details: page.show_rules(details.info, asking=details.is_querying))


INSPECTOR_PAGES: Sequence[InspectorPageSpec] = (
    # If it were wider, its column titles would not be above its columns.
    InspectorPageSpec(SCORE_PAGE, N_("Why"), _create_score_page, INSPECTOR_WIDTH),
    InspectorPageSpec(PLAYERS_PAGE, N_("Players"), _create_players_page),
    InspectorPageSpec(RULES_PAGE, N_("Rules"), _create_rules_page),
    InspectorPageSpec(HISTORY_PAGE, N_("History"), lambda theme: InspectorPage(ServerHistoryPage(theme)), NO_MAX_WIDTH),
    InspectorPageSpec(NOTES_PAGE, N_("Notes"), lambda theme: InspectorPage(NotesPage(theme))),
)
