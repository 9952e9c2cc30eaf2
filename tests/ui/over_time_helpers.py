"""An artificial history with a gap, and the page Over Time.

A model answers overlay queries.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from skill_view_helpers import FakeSkillModel, example_state

from browser_app.application.own_skill.skill_state import GameRecord, SkillState
from browser_app.player.own_history import OwnHistory
from browser_app.player.skill_sources import SkillSampleSeries
from browser_app.rating.record.round_record import Floats, Ints
from browser_app.rating.skill_inference import Z90
from browser_app.ui.skill.over_time.over_time_page import OverTimePage
from browser_app.ui.widgets.theme import Theme

DAY = 86400.0
BEGIN = 1_774_692_000.0
"""28 Mar 2026, 10:00 UTC."""


def _moments(rounds: int, days: float, gap_days: float, rng: np.random.Generator) -> Floats:
    evenings = np.sort(rng.integers(0, int(days), max(1, rounds // 3))).astype(np.float64)
    times = np.sort(evenings[rng.integers(0, len(evenings), rounds)] * DAY + rng.random(rounds) * 4 * 3600)
    half = rounds // 2
    if not rounds:
        return times
    times[half:] += max(0.0, times[half - 1] + gap_days * DAY - times[half])
    return BEGIN + times


def history(
    rounds: int = 214,
    *,
    days: float = 110.0,
    gap_days: float = 23.0,
    seed: int = 3,
    doubt: bool = True,
    start: float = 1580.0,
    system: str = "ns2",
    **changes: object,
) -> OwnHistory:
    """Return a consistent artificial history.

    Each change follows from chance, outcome and share.
    """
    rng = np.random.default_rng(seed)
    started = _moments(rounds, days, gap_days, rng)
    probability = np.clip(rng.normal(0.5, 0.12, rounds), 0.05, 0.95)
    outcome = np.where(rng.random(rounds) < 0.02, 0.5, (rng.random(rounds) < probability).astype(float))
    share = np.where(rng.random(rounds) < 0.7, 1.0, rng.random(rounds))
    after = start + np.cumsum((outcome - probability) * share * 16.0)
    before = np.concatenate(([start], after[:-1]))

    def index(most: int) -> Ints:
        return rng.integers(0, most, rounds).astype(np.int32)

    columns: dict[str, object] = {
        "game": "ns2",
        "system": system,
        "player": "p0",
        "maps": ("ns2_veil", "ns2_biodome", "ns2_summit"),
        "modes": ("ns2",),
        "teams": ("Marines", "Aliens"),
        "servers": (),
        "ids": tuple(f"r{number}" for number in range(rounds)),
        "skip_reason": ("",) * rounds,
        "round": np.arange(rounds, dtype=np.int32) * 3,
        "started": started,
        "duration": np.full(rounds, 1200.0),
        "map": index(3),
        "mode": np.zeros(rounds, np.int32),
        "team": index(2),
        "server": np.full(rounds, -1, np.int32),
        "size_mine": np.full(rounds, 6, np.int32),
        "size_other": np.full(rounds, 6, np.int32),
        "share": share,
        "commander_share": np.zeros(rounds),
        "probability": probability,
        "outcome": outcome,
        "before": before,
        "after": after,
        "sd": 84 + 36 * np.exp(-np.arange(rounds) / 30) if doubt else np.full(rounds, np.nan),
        "approximate": np.zeros(rounds, np.bool_),
    }
    columns |= changes
    columns["low"], columns["high"] = (columns["after"] + sign * Z90 * columns["sd"] for sign in (-1.0, 1.0))  # type: ignore[operator]
    return OwnHistory(**columns)  # type: ignore[arg-type]


SIZE = (1000, 620)


class FakeOverlayModel(FakeSkillModel):
    """A skill model that collects overlay queries to be answered by the test."""

    def __init__(self, first: SkillState) -> None:
        super().__init__(first)
        self.answers: list[tuple[Callable[[OwnHistory], object], dict[str, str | None]]] = []
        self.courses: tuple[SkillSampleSeries, ...] = ()

    def __getattribute__(self, name: str) -> Any:
        return object.__getattribute__(self, name)

    def request_other_history(
        self, callback: Callable[[OwnHistory], object], *, player: str | None = None, system: str | None = None
    ) -> None:
        self.answers.append((callback, {"player": player, "system": system}))

    def load_service_histories(self, callback: Callable[[Sequence[SkillSampleSeries]], object]) -> None:
        callback(self.courses)

    def request_players(self, callback: Callable[[Sequence[tuple[str, str, int]]], object]) -> None:
        callback([("p0", "me", 214), ("p7", "moth", 61), ("p1", "harrow", 57)])


def state_of(of: OwnHistory) -> SkillState:
    """Return the skill state of a history."""
    return SkillState(GameRecord("ns2", "Natural Selection 2", 642, len(of)), of.system, of, example_state().now, 0.0)


def open_page(theme: Theme, skill_model: FakeOverlayModel, qtbot: QtBot) -> OverTimePage:
    """Show the page with the model's state."""
    page = OverTimePage(theme, skill_model)
    qtbot.addWidget(page)
    qtbot.addWidget(page.header_controls())
    page.resize(*SIZE)
    page.show()
    page.activateWindow()
    qtbot.waitExposed(page)
    page.show_data(skill_model.state)
    QApplication.processEvents()
    return page


def viewport(page: OverTimePage) -> QWidget:
    widget: QWidget = page.plot.plot_view.widget.viewport()
    return widget


def point_position(page: OverTimePage, point: int) -> QPoint:
    """Return where a round is drawn, in widget coordinates."""
    view, curve = page.plot.plot_view, page._plot_data.curve if page._plot_data else None
    assert curve is not None
    at = QPointF(float(view.transform.x(curve.time[point])), float(view.transform.y(curve.value[point])))
    inside: QPoint = view.widget.mapFromScene(view.view_box.mapToScene(at))
    return inside


def has_color(picture: QImage, color: str, left: int, right: int) -> bool:
    """Return True if a colour occurs between two columns of a picture."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(plain.constBits(), np.uint32).reshape(plain.height(), plain.width()) & 0xFFFFFF
    return bool((pixels[:, left:right] == int(color.removeprefix("#"), 16)).any())


def export_bytes(page: OverTimePage, kind: str) -> bytes:
    return page._export_content(kind)()
