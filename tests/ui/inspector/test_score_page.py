"""The inspector's page that explains a score."""

from dataclasses import replace

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from browser_app.games.game_profile import RankingConstants
from browser_app.ranking.ranking_inputs import RankingInputs
from browser_app.ranking.score_explanation import ScoreImprovement, explain_score
from browser_app.ranking.score_text import TranslatableText
from browser_app.ui.inspector.score_page import ScorePage
from browser_app.ui.widgets.theme import Theme


def test_improvements_look_different_from_score(qtbot: QtBot, theme: Theme) -> None:
    page = ScorePage(theme)
    qtbot.addWidget(page)
    explanation = explain_score(RankingInputs.from_values(players=8, usable_slots=16, ping_ms=30), RankingConstants())
    gains = [
        ScoreImprovement(TranslatableText(text), 0.0041, after) for text, after in (("large", 0.008), ("tiny", 0.0043))
    ]
    page.show_explanation(replace(explanation, improvements=tuple(gains)), 1, 1, 0.5, "")
    shown = {label.text() for label in page.findChildren(QLabel) if not label.isHidden()}
    assert {"large", "0.008"} < shown
    assert "tiny" not in shown
