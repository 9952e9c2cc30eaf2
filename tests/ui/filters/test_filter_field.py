"""The filter field: its placeholder."""

import pytest
from pytestqt.qtbot import QtBot

from browser_app.ui.filters.filter_field import FILTER_FIELD_WIDTH, MIN_FILTER_FIELD_WIDTH, FilterField
from browser_app.ui.widgets.theme import Theme


@pytest.mark.parametrize(
    ("width", "text"),
    [
        (FILTER_FIELD_WIDTH, "Filter, e.g. map:veil ping<80"),
        (240, "Filter, e.g. map:veil"),
        (MIN_FILTER_FIELD_WIDTH, "Filter"),
    ],
)
def test_placeholder_fits(qtbot: QtBot, theme: Theme, width: int, text: str) -> None:
    field = FilterField(theme, key="Ctrl+F")
    qtbot.addWidget(field)
    field.resize(width, field.height())
    field.show()
    assert field._edit.placeholderText() == text
