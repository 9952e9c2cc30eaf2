"""Pictures of every state: its marks are drawn, and no text is cut."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from join_helpers import game_on_path
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from state_tour import FIRST_SCAN_STATES, STATES, StateTour, open_state_tour
from window_helpers import COLUMN_INDEX, use_endless_timeouts
from window_pictures import cut_texts, keep_picture, lay_out

from browser_app import language
from browser_app.engine.query import scanner
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.paths import resource_folder
from browser_app.ui.servers.server_columns import SERVER_COLUMNS
from browser_app.ui.widgets.palette import PALETTES

NORMAL, SMALL = (1280, 800), (1024, 640)
VARIANTS: Mapping[str, Mapping[tuple[int, int], Sequence[str]]] = {
    "en": {NORMAL: tuple(PALETTES), SMALL: ("light",)},
    "de": {NORMAL: ("light",), SMALL: ("light",)},
}
"""Themes of the pictures, by language and size."""
HASTY = QueryTiming(waits_s=(0.5, 0.5, 1.0))
"""Some servers never answer."""
MAX_COLOR_DISTANCE = 40
"""Antialiased lines are not wholly in their colour."""


class StateMark(NamedTuple):
    """What shows a state in its row."""

    column: str
    role: str
    """Colour of the mark or of the text."""


MARKS: Mapping[str, tuple[StateMark, ...]] = {
    "saved": (StateMark("score", "text3"), StateMark("name", "text3")),
    "described": (StateMark("name", "text3"), StateMark("players", "text3")),
    "friends": (StateMark("name", "friend"), StateMark("favourite", "favourite")),
    "friends-list": (StateMark("name", "friend"),),
    "impossible-ping": (StateMark("name", "warning"),),
    "empty-list": (StateMark("name", "warning"),),
    "hidden-prefix": (StateMark("name", "warning"),),
    "full": (StateMark("players", "full"),),
    "locked": (StateMark("name", "locked"),),
    "silent": (StateMark("score", "text3"), StateMark("name", "text3")),
    "waiting": (StateMark("players", "full"),),
}


CELL_TEXTS = {
    "impossible-ping": ("ping", "?"),
    "estimated": ("ping", "~"),
    "silent": ("score", "no answer"),
    "groups": ("players", "+3"),
}
"""Part of the text in a cell of a state's row, in English: its column and the part."""
PLAYER_HEADINGS = {
    "friends": {"Players"},
    "groups": {"Red", "Blue", "Bots", "Spectators"},
    "no-player-list": set(),
    "empty-list": set(),
}
"""Titles of the groups on the inspector's page of players, in English."""


def wrong_texts(tour: StateTour, state: str, row: int) -> Iterator[str]:
    """Yield which texts of a state are not shown."""
    if state in CELL_TEXTS:
        key, part = CELL_TEXTS[state]
        place = tour.app.servers().index(row)
        (shown,) = tour.app.model.rows(place, place)
        text = SERVER_COLUMNS[COLUMN_INDEX[key]].text(shown)
        if language.gettext(part) not in text:
            yield f"{state}: {text!r} in {key}"
    if state in PLAYER_HEADINGS:
        lines = tour.app.window.servers_view.inspector.players_page.list_view.list_model.items
        headings = {line.name for line in lines if line.is_heading}
        if headings != set(map(language.gettext, PLAYER_HEADINGS[state])):
            yield f"{state}: players under {headings}"


def cell_box(tour: StateTour, row: int, column: str) -> QRect:
    """Return the place of a server's cell in the window; empty if it is not in sight."""
    table = tour.app.table
    index = table.model().index(tour.app.servers().index(row), COLUMN_INDEX[column])
    box = table.visualRect(index)
    return QRect(table.viewport().mapTo(tour.app.window, box.topLeft()), box.size()) if box.isValid() else QRect()


def has_color(image: QImage, box: QRect, color: QColor) -> bool:
    """Return whether a pixel of a box in the window is nearly in a colour."""
    ratio = round(image.devicePixelRatio())
    part = image.copy(QRect(box.topLeft() * ratio, box.size() * ratio))
    pixels = {part.pixel(x, y) for x in range(part.width()) for y in range(part.height())}
    return any(distance(QColor(pixel), color) <= MAX_COLOR_DISTANCE for pixel in pixels)


def distance(one: QColor, other: QColor) -> int:
    return abs(one.red() - other.red()) + abs(one.green() - other.green()) + abs(one.blue() - other.blue())


def problems_of(tour: StateTour, state: str, row: int) -> Iterator[str]:
    """Take the pictures of a state and yield what is wrong in them."""
    app = tour.app
    for size, themes in VARIANTS[tour.language].items():
        app.window.setUpdatesEnabled(False)  # pictures paint it, and nobody sees it
        app.window.resize(*size)
        app.table.scrollTo(app.table.currentIndex())
        lay_out()
        yield from (f"{state}, {size}: cut {text}" for text in cut_texts(app.window))
        for theme in themes:
            if app.program.theme.name != theme:
                app.program.theme.set_theme(theme)
                QApplication.processEvents()
            image = take_picture(app.window)
            keep_picture(image, f"{state}-{theme}-{size[0]}x{size[1]}", tour.language)
            for mark in MARKS.get(state, ()):
                box = cell_box(tour, row, mark.column)
                if not has_color(image, box, app.program.theme.palette.color(mark.role)):
                    yield f"{state}, {size}, {theme}: no {mark.role} in {mark.column} at {box}"
        app.program.theme.set_theme("light")
    app.window.resize(*NORMAL)  # pages of the next state load while they are visible
    app.window.setUpdatesEnabled(True)


def take_picture(window: QWidget) -> QImage:
    window.setUpdatesEnabled(True)
    image = window.grab().toImage()
    window.setUpdatesEnabled(False)
    return image


def visit(tour: StateTour, states: Mapping[str, Callable[[StateTour], int]]) -> list[str]:
    """Bring the window into each state; return what is wrong in any."""
    problems: list[str] = []
    for state, enter in states.items():
        row = enter(tour)
        problems += [*wrong_texts(tour, state, row), *problems_of(tour, state, row)]
    return problems


@pytest.fixture(params=VARIANTS)
def language_code(request: pytest.FixtureRequest) -> Iterator[str]:
    """The window's language."""
    yield request.param
    language.set_language(resource_folder() / "languages", language.ENGLISH)


def test_states_before_all_have_answered(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch, language_code: str
) -> None:
    use_endless_timeouts(monkeypatch)
    with open_state_tour(qtbot, qapp, monkeypatch, "true", language_code) as tour:
        assert not visit(tour, FIRST_SCAN_STATES)


def test_states_after_all_have_answered(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language_code: str
) -> None:
    folder = tmp_path / "bin"
    monkeypatch.setattr(scanner, "QueryTiming", lambda: HASTY)
    with (
        game_on_path(folder, monkeypatch) as game,
        open_state_tour(qtbot, qapp, monkeypatch, str(folder / "openarena"), language_code) as tour,
    ):
        tour.app.scanned()
        tour.app.settle()
        assert not visit(tour, STATES)
        game.end()
