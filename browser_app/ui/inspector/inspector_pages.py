"""The table of inspector pages and their factories."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

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
    ping_spread_text: str


class InspectorPageSpec(NamedTuple):
    """Declaration of a page."""

    key: str
    title: str
    create: Callable[[Theme], QWidget]
    show_details: Callable[[Any, ServerDetails], object] | None = None
    """Fills the page; None where a controller of its own does."""
    max_width: int = _MAX_TEXT_WIDTH
    """Maximum width (px) while the inspector is below the table."""


def _show_score(page: ScorePage, details: ServerDetails) -> None:
    page.show_explanation(
        details.explanation, details.rank, details.ranked_count, details.best_score, details.forecast_text
    )
    page.show_ping_spread(details.ping_spread_text)


def _show_players(page: PlayersPage, details: ServerDetails) -> None:
    page.show_players(details.info, is_querying=details.is_querying, team_names=details.team_names)


def _show_rules(page: RulesPage, details: ServerDetails) -> None:
    page.show_rules(details.info, is_querying=details.is_querying)


INSPECTOR_PAGES: Sequence[InspectorPageSpec] = (
    # If it were wider, its column titles would not be above its columns.
    InspectorPageSpec(SCORE_PAGE, N_("Why"), ScorePage, _show_score, INSPECTOR_WIDTH),
    InspectorPageSpec(PLAYERS_PAGE, N_("Players"), PlayersPage, _show_players),
    InspectorPageSpec(RULES_PAGE, N_("Rules"), RulesPage, _show_rules),
    InspectorPageSpec(HISTORY_PAGE, N_("History"), ServerHistoryPage, max_width=NO_MAX_WIDTH),
    InspectorPageSpec(NOTES_PAGE, N_("Notes"), NotesPage),
)
