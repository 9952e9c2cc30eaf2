"""Words of a page that can be selected and copied."""

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy

from browser_app.ui.controls import Text
from browser_app.ui.theme import Theme

_Label = TypeVar("_Label", bound=Text)


def selectable(label: _Label) -> _Label:
    """The label, whose words the mouse can mark."""
    label.setTextInteractionFlags(label.textInteractionFlags() | Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def sentence(theme: Theme, role: str = "text2", size: int = 12) -> Text:
    """An empty label for sentences, which take as many lines as they need."""
    label = selectable(Text(theme, role=role, size=size))
    label.setWordWrap(True)
    label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
    return label
